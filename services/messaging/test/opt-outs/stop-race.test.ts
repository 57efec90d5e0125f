import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sendReplies } from "../../src/jobs/send-replies.ts";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	send,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "../support/messaging.ts";
import {
	acceptedAs,
	createScriptedOperator,
	throttled,
} from "../support/scripted-operator.ts";
import { CONFIRMATION, receive, textsTo } from "./opt-out-world.ts";

let test: TestMessaging;
let organization: string;

beforeAll(async () => {
	test = await startTestMessaging();
	organization = await organizationWith(test, 100_000);
});
afterAll(() => test.close());

async function countReplies(): Promise<number> {
	const [row] = await test.sql`select count(*)::int as n from opt_out_replies`;
	return row?.n;
}

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
	expect(await countReplies()).toBe(1);
	expect(textsTo(test, to)).toEqual(["Hello"]);
	response.resolve();
	await test.dispatcher.idle();
	await looksAgain();
	await dispatchAll(test);
	expect(await countReplies()).toBe(0);
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
		expect([await countReplies(), row?.n]).toEqual([0, 0]);
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
