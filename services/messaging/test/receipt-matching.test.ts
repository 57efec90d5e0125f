import { afterEach, beforeEach, expect, test } from "vitest";
import {
	deleteExpired,
	RECEIPT_RETENTION_MS,
} from "../src/jobs/delete-expired.ts";
import { retryReceipts } from "../src/jobs/retry-receipts.ts";
import {
	dispatchAll,
	messageTo,
	retryAll,
	sendAll,
	sendOne,
	startWithOrganization,
	submittedMessage,
	type TestMessaging,
} from "./support/messaging.ts";
import {
	makeAllDue,
	outcomesOf,
	statusOf,
	waitingReceipts,
} from "./support/rows.ts";
import { acceptedAs } from "./support/scripted-operator.ts";

let messaging: TestMessaging;
let organization: string;

beforeEach(async () => {
	({ messaging, organization } = await startWithOrganization());
});

afterEach(() => messaging.close());

async function letReceiptsAge(seconds: number): Promise<void> {
	await messaging.sql`
		update receipts
		set received_at = received_at - ${seconds} * interval '1 second'
	`;
}

/** As if a message had been accepted earlier. */
async function letMessageAge(id: string, seconds: number): Promise<void> {
	await messaging.sql`
		update messages
		set accepted_at = accepted_at - ${seconds} * interval '1 second'
		where id = ${id}
	`;
}

/** Gives a message the id that a clock makes which is so far ahead, or behind; returns it. */
async function makeIdBy(clockS: number, id: string): Promise<string> {
	const { sql } = messaging;
	const [row] = await sql<[{ id: string }]>`
		update messages
		set id = uuidv7(${clockS} * interval '1 second')
		where id = ${id}
		returning id
	`;
	await sql`update parts set message_id = ${row.id} where message_id = ${id}`;
	return row.id;
}

/**
 * Two messages: an earlier one to `to`, whose id is the hexadecimal form of 1281; one whose response, with the id 1281,
 * is awaited.
 */
async function openAndAwaited(to: string) {
	const { dispatcher, operator } = messaging;
	operator.script = () => acceptedAs("501");
	const earlier = await sendOne(messaging, messageTo(organization, { to }));
	await dispatchAll(messaging);
	const responded = Promise.withResolvers<void>();
	operator.script = async () => {
		await responded.promise;
		return acceptedAs("1281");
	};
	const awaited = await sendOne(messaging, messageTo(organization));
	await dispatcher.round();
	const response = async () => {
		responded.resolve();
		await dispatcher.idle();
	};
	return { earlier, awaited, response };
}

const early = { matchKeys: ["1281", "501"], numberTails: ["2345678"] };

test("a receipt that never finds its part is kept for 72 hours and looked at less and less often", async () => {
	const { sql, operator, ctx } = messaging;
	await operator.receipt("nobody's", "delivered");
	for (let look = 1; look < 12; look++) {
		await makeAllDue(sql);
		expect(await retryReceipts(ctx)).toBe(1);
	}
	const [row] = await sql<{ dueInS: number }[]>`
		select extract(epoch from due_at - now())::float8 as "dueInS"
		from receipts
	`;
	expect(row?.dueInS).toBeGreaterThan(500);
	expect(row?.dueInS).toBeLessThan(1_000);
	await deleteExpired(ctx);
	expect(await waitingReceipts(messaging.sql)).toBe(1);
	await sql`
		update receipts
		set received_at = now() - ${RECEIPT_RETENTION_MS + 1_000} * interval '1 millisecond'
	`;
	await deleteExpired(ctx);
	expect(await waitingReceipts(messaging.sql)).toBe(0);
});

test("the first key that names a part wins, later keys are not looked at", async () => {
	const { sql, operator } = messaging;
	const [first = "", second = ""] = await sendAll(messaging, [
		messageTo(organization),
		messageTo(organization),
	]);
	operator.script = ({ messageId }) =>
		acceptedAs(messageId === first ? "26" : "1A");
	await dispatchAll(messaging);
	await operator.receipt("1A", "delivered", {
		matchKeys: ["none", "26", "1A"],
		numberTails: ["2345678"],
	});
	expect(await statusOf(sql, first)).toBe("delivered");
	expect(await statusOf(sql, second)).toBe("submitted");
});

test("a receipt that precedes its response ends no message to another number, though another form of its id is that message's", async () => {
	const { sql, operator } = messaging;
	const { earlier, awaited, response } = await openAndAwaited("+33688880401");
	await operator.receipt("1281", "delivered", early);
	expect(await statusOf(sql, earlier)).toBe("submitted");
	await response();
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, earlier)).toBe("submitted");
	expect(await statusOf(sql, awaited)).toBe("delivered");
});

test("a receipt that precedes its response is not used up by a message that has ended", async () => {
	const { sql, operator } = messaging;
	const { awaited, response } = await openAndAwaited("+33612345678");
	await operator.receipt("501", "delivered");
	await operator.receipt("1281", "failed", early);
	await response();
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, awaited)).toBe("failed");
});

test("a receipt without a number finds its part by another form of its id once every response has come", async () => {
	const { sql, operator } = messaging;
	operator.script = () => acceptedAs("501");
	const id = await submittedMessage(messaging, organization);
	await letMessageAge(id, 600);
	await operator.receipt("1281", "delivered", { ...early, numberTails: [] });
	expect(await statusOf(sql, id)).toBe("submitted");
	await letReceiptsAge(300);
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, id)).toBe("delivered");
});

test("a receipt that names two parts is kept and not applied", async () => {
	const { sql, operator } = messaging;
	operator.script = () => acceptedAs("same");
	const ids = await sendAll(messaging, [
		messageTo(organization),
		messageTo(organization),
	]);
	await dispatchAll(messaging);
	await operator.receipt("same", "delivered");
	for (const id of ids) expect(await statusOf(sql, id)).toBe("submitted");
	expect(await waitingReceipts(messaging.sql)).toBe(1);
	await makeAllDue(sql);
	expect(await retryReceipts(messaging.ctx)).toBe(0);
});

test("a parked receipt is not applied to a later message to which the operator gave the same id", async () => {
	const { sql, operator } = messaging;
	await operator.receipt("reused", "failed");
	await letReceiptsAge(1_200);
	operator.script = () => acceptedAs("reused");
	const later = await submittedMessage(messaging, organization);
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, later)).toBe("submitted");
	expect(await waitingReceipts(messaging.sql)).toBe(1);
	await operator.receipt("reused", "delivered");
	expect(await outcomesOf(sql, later)).toEqual(["delivered"]);
	expect(await waitingReceipts(messaging.sql)).toBe(1);
});

test("a key that names a later message only gives way to the next key", async () => {
	const { sql, operator } = messaging;
	operator.script = () => acceptedAs("3e8");
	const earlier = await submittedMessage(messaging, organization);
	await letMessageAge(earlier, 1_800);
	await operator.receipt("1000", "delivered", {
		matchKeys: ["1000", "3e8", "4096"],
	});
	await letReceiptsAge(1_200);
	operator.script = () => acceptedAs("1000");
	const later = await submittedMessage(messaging, organization);
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, later)).toBe("submitted");
	expect(await statusOf(sql, earlier)).toBe("delivered");
});

test.each([
	{ clock: "ahead", clockS: 1_200 },
	{ clock: "behind", clockS: -1_200 },
])(
	"a receipt finds its message though the clock that made the message's id is 20 minutes $clock",
	async ({ clockS }) => {
		const { sql, operator } = messaging;
		operator.script = () => acceptedAs("1");
		const id = await makeIdBy(
			clockS,
			await submittedMessage(messaging, organization),
		);
		await operator.receipt("1", "delivered");
		expect(await statusOf(sql, id)).toBe("delivered");
	},
);

test.each([0, -1_200])(
	"a receipt that came a second before the message was accepted is not its own, whatever clock made the id (%d s)",
	async (clockS) => {
		const { sql, operator } = messaging;
		operator.script = () => acceptedAs("1");
		await operator.receipt("1", "delivered");
		await letReceiptsAge(1);
		const id = await makeIdBy(
			clockS,
			await submittedMessage(messaging, organization),
		);
		expect(await statusOf(sql, id)).toBe("submitted");
	},
);

test("an id of another operator account is another id", async () => {
	const { sql, operator } = messaging;
	const id = await submittedMessage(messaging, organization);
	await operator.receipt(operator.idOf(id), "delivered", {
		operatorAccount: "account-2",
	});
	expect(await statusOf(sql, id)).toBe("submitted");
});
