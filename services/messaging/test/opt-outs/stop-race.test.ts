import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, it } from "vitest";
import { expireMessages } from "../../src/jobs/expire-messages.ts";
import { sendReplies } from "../../src/jobs/send-replies.ts";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	retryAll,
	send,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "../support/messaging.ts";
import { dispatchOf, makeAllDue, messageRow } from "../support/rows.ts";
import {
	acceptedAs,
	createScriptedOperator,
	noResponse,
	refusedForNow,
	throttled,
} from "../support/scripted-operator.ts";
import {
	CONFIRMATION,
	countReplies,
	receive,
	textsTo,
} from "./opt-out-world.ts";

let test: TestMessaging;
let organization: string;

beforeAll(async () => {
	test = await startTestMessaging();
	organization = await organizationWith(test, 100_000);
});
afterAll(() => test.close());

async function looksAgain(): Promise<void> {
	await test.sql`update opt_out_replies set due_at = now()`;
	await sendReplies(test.ctx);
}

it("a confirmation waits for the message that was on its way when STOP came", async () => {
	const to = "+33650000001";
	const response = Promise.withResolvers<void>();
	test.operator.script = async () => {
		await response.promise;
		return acceptedAs("late");
	};
	await sendOne(test, messageTo(organization, { to }));
	await test.dispatcher.round();
	await receive(test, organization, to, "stop");
	await looksAgain();
	await test.dispatcher.round();
	expect(await countReplies(test)).toBe(1);
	expect(textsTo(test, to)).toEqual(["Hello"]);
	response.resolve();
	await test.dispatcher.idle();
	await looksAgain();
	await dispatchAll(test);
	expect(await countReplies(test)).toBe(0);
	expect(textsTo(test, to)).toEqual(["Hello", CONFIRMATION]);
});

it("what was put back because its operator was busy is not sent after STOP", async () => {
	const to = "+33650000002";
	test.operator.script = () => throttled;
	await sendOne(test, messageTo(organization, { to }));
	await dispatchAll(test);
	test.operator.script = () => acceptedAs("taken");
	await receive(test, organization, to, "stop");
	await test.sql`update dispatch set due_at = now()`;
	await looksAgain();
	await dispatchAll(test);
	expect(textsTo(test, to)).toEqual(["Hello", CONFIRMATION]);
});

/** A message of so many parts whose last got no response, and after STOP its time to go again. */
async function stopWhileUnknown(to: string, parts: number): Promise<string> {
	const { operator, sql } = test;
	operator.parts = parts;
	operator.script = (_, part) =>
		part === parts ? noResponse : acceptedAs(`${to} ${part}`);
	const id = await sendOne(test, messageTo(organization, { to }));
	await dispatchAll(test);
	await receive(test, organization, to, "stop");
	operator.script = () => acceptedAs("again");
	await makeAllDue(sql);
	await dispatchAll(test);
	operator.parts = 1;
	expect(textsTo(test, to)).toEqual(["Hello"]);
	expect(await dispatchOf(sql, id)).toMatchObject({ state: "unknown" });
	expect(await messageRow(sql, id)).toEqual({
		status: "unknown",
		reason: null,
		attempts: 1,
		possibleDuplicate: false,
	});
	return id;
}

it.each([1, 2])(
	"a message of %i parts that got no response before STOP is not sent again, and its receipt decides it",
	async (parts) => {
		const { operator, sql } = test;
		const to = `+3365000001${parts}`;
		const id = await stopWhileUnknown(to, parts);
		if (parts === 2) await operator.receipt(`${to} 1`, "delivered");
		await operator.receipt(`${to} late`, "delivered", {
			numberTails: [to.slice(-7)],
			addresses: [to.slice(1), "airtower"],
		});
		await makeAllDue(sql);
		await retryAll(test);
		expect(await messageRow(sql, id)).toEqual({
			status: "delivered",
			reason: null,
			attempts: 1,
			possibleDuplicate: false,
		});
		expect(await sql`select from unanswered`).toHaveLength(0);
	},
);

it("one whose receipt never comes expires, also where an admin lets it go again", async () => {
	const { sql, ctx } = test;
	const id = await stopWhileUnknown("+33650000020", 1);
	await makeAllDue(sql);
	await dispatchAll(test);
	expect(await dispatchOf(sql, id)).toMatchObject({ state: "unknown" });
	await sql`update dispatch set expires_at = now(), due_at = now()`;
	await dispatchAll(test);
	await expireMessages(ctx);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "failed",
		reason: "expired",
	});
	expect(textsTo(test, "+33650000020")).toEqual(["Hello"]);
	await sql`delete from unanswered`;
});

it("a long message of which the operator has a part, and refused the other before STOP, fails as one whose part is refused for good", async () => {
	const { operator, sql } = test;
	const to = "+33650000030";
	operator.parts = 2;
	operator.script = (_, part) =>
		part === 2 ? refusedForNow : acceptedAs("first of two");
	const id = await sendOne(test, messageTo(organization, { to }));
	await dispatchAll(test);
	await receive(test, organization, to, "stop");
	await makeAllDue(sql);
	await dispatchAll(test);
	operator.parts = 1;
	expect(textsTo(test, to)).toEqual(["Hello"]);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "failed",
		reason: "recipient_opted_out",
	});
});

it("STOP and sends of the same moment end as sent before the confirmation or not at all, over 300 numbers and two processes", async () => {
	const COUNT = 300;
	let serial = 0;
	const wire: { to: string; body: string }[] = [];
	/** A message is on the wire some time after it was claimed, as in a full window. */
	const script: typeof test.operator.script = async ({ to, body }) => {
		for (let turn = serial % 7; turn > 0; turn--)
			await new Promise((resolve) => setImmediate(resolve));
		wire.push({ to, body });
		return acceptedAs(`raced-${++serial}`);
	};
	const operator = createScriptedOperator();
	const other = await test.replica({ operator });
	test.operator.script = script;
	operator.script = script;
	let over = false;
	const running = [test, other].flatMap(({ dispatcher, ctx }) => [
		whileNot(() => over, dispatcher.round),
		whileNot(
			() => over,
			() => sendReplies(ctx),
		),
	]);
	const numbers = Array.from(
		{ length: COUNT },
		(_, nth) => `+336510${10_000 + nth}`,
	);
	await Promise.all(
		numbers.map(async (to) => {
			const sends = Array.from({ length: 3 }, () =>
				send(test, [messageTo(organization, { to })]),
			);
			await Promise.all([
				...sends,
				receive(test, organization, to, "stop"),
				send(test, [messageTo(organization, { to })]),
			]);
		}),
	);
	await eventually(async () => {
		const [row] = await test.sql`select count(*)::int as n from dispatch`;
		expect([await countReplies(test), row?.n]).toEqual([0, 0]);
	});
	over = true;
	await Promise.all(running);
	for (const to of numbers) {
		const texts = wire.filter((one) => one.to === to).map(({ body }) => body);
		expect(texts.indexOf(CONFIRMATION), texts.join()).toBe(texts.length - 1);
	}
});

async function whileNot(
	isOver: () => boolean,
	round: () => Promise<unknown>,
): Promise<void> {
	while (!isOver()) {
		await round();
		await new Promise((resolve) => setImmediate(resolve));
	}
}
