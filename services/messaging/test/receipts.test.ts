import { afterEach, beforeEach, expect, test } from "vitest";
import {
	deleteExpired,
	RECEIPT_RETENTION_MS,
} from "../src/jobs/delete-expired.ts";
import { dispatchMessages } from "../src/jobs/dispatch-messages.ts";
import { retryReceipts } from "../src/jobs/retry-receipts.ts";
import {
	dispatchAll,
	dispatchOf,
	makeAllDue,
	messageRow,
	messageTo,
	organizationWith,
	outcomes,
	outcomesOf,
	retryAll,
	sendAll,
	sendOne,
	startTestMessaging,
	statusOf,
	type TestMessaging,
} from "./support/messaging.ts";
import {
	acceptedAs,
	refusedForNow,
	unanswered,
} from "./support/scripted-operator.ts";

let messaging: TestMessaging;
let organization: string;

beforeEach(async () => {
	messaging = await startTestMessaging();
	organization = await organizationWith(messaging, 10_000);
});

afterEach(async () => {
	await messaging.close();
});

/** A message that the operator has taken. */
async function submitted(): Promise<string> {
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	return id;
}

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

/** As if a message's id had been made by a clock that is so far ahead, or behind; answers the new id. */
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

async function waitingReceipts(): Promise<number> {
	const rows = await messaging.sql`select from receipts`;
	return rows.count;
}

test("a receipt is applied before it is acknowledged, with one event, and leaves no row", async () => {
	const { sql, operator } = messaging;
	const id = await submitted();
	await operator.receipt(operator.idOf(id), "delivered");
	expect(await statusOf(sql, id)).toBe("delivered");
	expect(await waitingReceipts()).toBe(0);
	const events = await outcomes(sql);
	expect(events).toHaveLength(1);
	expect(events[0]).toMatchObject({
		messageId: id,
		status: "delivered",
		errorCode: "",
		errorMessage: "",
	});
});

test("a receipt of a failure fails the message with its reason", async () => {
	const { sql, operator } = messaging;
	const id = await submitted();
	const reason = "unknown_subscriber";
	await operator.receipt(operator.idOf(id), "failed", { reason });
	expect(await messageRow(sql, id)).toMatchObject({ status: "failed", reason });
	expect(await outcomesOf(sql, id)).toEqual([reason]);
});

test("a receipt that comes twice makes one event, whatever it says the second time", async () => {
	const { sql, operator } = messaging;
	const id = await submitted();
	await operator.receipt(operator.idOf(id), "delivered");
	await operator.receipt(operator.idOf(id), "delivered");
	await operator.receipt(operator.idOf(id), "failed");
	expect(await statusOf(sql, id)).toBe("delivered");
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
	expect(await waitingReceipts()).toBe(0);
});

test("of two contrary receipts in one batch the first counts", async () => {
	const { sql, operator } = messaging;
	const id = await submitted();
	await Promise.all([
		operator.receipt(operator.idOf(id), "failed"),
		operator.receipt(operator.idOf(id), "delivered"),
	]);
	expect(await statusOf(sql, id)).toBe("failed");
	expect(await outcomesOf(sql, id)).toEqual(["undeliverable"]);
});

test("an intermediate receipt changes nothing", async () => {
	const { sql, operator } = messaging;
	const id = await submitted();
	await operator.receipt(operator.idOf(id), "intermediate");
	expect(await statusOf(sql, id)).toBe("submitted");
	expect(await outcomes(sql)).toEqual([]);
	expect(await waitingReceipts()).toBe(0);
});

test("a receipt that comes before the answer waits, and is applied once the answer is stored", async () => {
	const { sql, operator, ctx, dispatcher } = messaging;
	const answer = Promise.withResolvers<void>();
	operator.script = async () => {
		await answer.promise;
		return acceptedAs("early");
	};
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchMessages(ctx, dispatcher);
	await operator.receipt("early", "delivered");
	expect(await waitingReceipts()).toBe(1);
	answer.resolve();
	await dispatcher.idle();
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, id)).toBe("delivered");
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test("a receipt that never finds its part is kept for 72 hours, looked at ever more seldom", async () => {
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
	expect(await waitingReceipts()).toBe(1);
	await sql`
		update receipts
		set received_at = now() - ${RECEIPT_RETENTION_MS + 1_000} * interval '1 millisecond'
	`;
	await deleteExpired(ctx);
	expect(await waitingReceipts()).toBe(0);
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

/** A message to the number that has already the id which another form of a receipt's id reads as. */
async function openAndAwaited(to: string) {
	messaging.operator.script = () => acceptedAs("501");
	const earlier = await sendOne(messaging, messageTo(organization, { to }));
	await dispatchAll(messaging);
	messaging.operator.script = () => acceptedAs("1281");
	const awaited = await sendOne(messaging, messageTo(organization));
	const answer = () => dispatchAll(messaging);
	return { earlier, awaited, answer };
}

const early = { matchKeys: ["1281", "501"], numberTails: ["2345678"] };

test("a receipt that precedes its answer ends no message to another number, though its id can be read as that one's", async () => {
	const { sql, operator } = messaging;
	const { earlier, awaited, answer } = await openAndAwaited("+33688880401");
	await operator.receipt("1281", "delivered", early);
	expect(await statusOf(sql, earlier)).toBe("submitted");
	await answer();
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, earlier)).toBe("submitted");
	expect(await statusOf(sql, awaited)).toBe("delivered");
});

test("a receipt that precedes its answer is not used up by a message that has ended", async () => {
	const { sql, operator } = messaging;
	const { awaited, answer } = await openAndAwaited("+33612345678");
	await operator.receipt("501", "delivered");
	await operator.receipt("1281", "failed", early);
	await answer();
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, awaited)).toBe("failed");
});

test("a receipt without a number finds its part by another form of its id once every answer has come", async () => {
	const { sql, operator } = messaging;
	operator.script = () => acceptedAs("501");
	const id = await submitted();
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
	expect(await waitingReceipts()).toBe(1);
	await makeAllDue(sql);
	expect(await retryReceipts(messaging.ctx)).toBe(0);
});

test("a parked receipt is not applied to a later message to which the operator gave the same id", async () => {
	const { sql, operator } = messaging;
	await operator.receipt("reused", "failed");
	await letReceiptsAge(1_200);
	operator.script = () => acceptedAs("reused");
	const later = await submitted();
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, later)).toBe("submitted");
	expect(await waitingReceipts()).toBe(1);
	await operator.receipt("reused", "delivered");
	expect(await outcomesOf(sql, later)).toEqual(["delivered"]);
	expect(await waitingReceipts()).toBe(1);
});

test("a key that names a later message only gives way to the next key", async () => {
	const { sql, operator } = messaging;
	operator.script = () => acceptedAs("3e8");
	const earlier = await submitted();
	await letMessageAge(earlier, 1_800);
	await operator.receipt("1000", "delivered", {
		matchKeys: ["1000", "3e8", "4096"],
	});
	await letReceiptsAge(1_200);
	operator.script = () => acceptedAs("1000");
	const later = await submitted();
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
		const id = await makeIdBy(clockS, await submitted());
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
		const id = await makeIdBy(clockS, await submitted());
		expect(await statusOf(sql, id)).toBe("submitted");
	},
);

test("an id of another operator account is another id", async () => {
	const { sql, operator } = messaging;
	const id = await submitted();
	await operator.receipt(operator.idOf(id), "delivered", {
		operatorAccount: "account-2",
	});
	expect(await statusOf(sql, id)).toBe("submitted");
});

test("a long message is delivered when every part is", async () => {
	const { sql, operator } = messaging;
	operator.parts = 3;
	const id = await submitted();
	for (const part of [3, 1]) {
		await operator.receipt(operator.idOf(id, part), "delivered");
		expect(await statusOf(sql, id)).toBe("submitted");
	}
	await operator.receipt(operator.idOf(id, 2), "delivered");
	expect(await statusOf(sql, id)).toBe("delivered");
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test("a long message fails at once when a part does, with one event", async () => {
	const { sql, operator } = messaging;
	operator.parts = 3;
	const id = await submitted();
	await operator.receipt(operator.idOf(id, 1), "delivered");
	await operator.receipt(operator.idOf(id, 2), "failed");
	expect(await statusOf(sql, id)).toBe("failed");
	await operator.receipt(operator.idOf(id, 3), "failed");
	expect(await outcomesOf(sql, id)).toEqual(["undeliverable"]);
});

test("receipts of all parts at the same time, on several connections, end the message once", async () => {
	const { sql, operator } = messaging;
	operator.parts = 4;
	const ids = await sendAll(
		messaging,
		Array.from({ length: 30 }, () => messageTo(organization)),
	);
	await dispatchAll(messaging);
	const other = await messaging.replica();
	for (const part of [1, 2, 3, 4]) {
		const operatorIds = ids.map((id) => operator.idOf(id, part));
		await Promise.all(
			operatorIds.flatMap((id) => [
				operator.receipt(id, "delivered"),
				other.operator.receipt(id, "delivered"),
			]),
		);
	}
	for (const id of ids)
		expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test("a part that fails takes the message's missing parts out of the queue", async () => {
	const { sql, operator } = messaging;
	operator.parts = 2;
	operator.script = (_, part) =>
		part === 2 ? refusedForNow : acceptedAs("p1");
	const id = await submitted();
	expect(await dispatchOf(sql, id)).toMatchObject({ state: "queued" });
	await operator.receipt("p1", "failed");
	expect(await statusOf(sql, id)).toBe("failed");
	expect(await dispatchOf(sql, id)).toBeUndefined();
	expect(await outcomesOf(sql, id)).toEqual(["undeliverable"]);
});

test("a message that went unknown with one of its parts is resolved by that part's receipt", async () => {
	const { sql, operator } = messaging;
	operator.parts = 2;
	operator.script = (_, part) => (part === 2 ? unanswered : acceptedAs("p1"));
	const id = await submitted();
	expect(await statusOf(sql, id)).toBe("unknown");
	await operator.receipt("p1", "failed");
	expect(await statusOf(sql, id)).toBe("failed");
	expect(await dispatchOf(sql, id)).toBeUndefined();
});

test("of a message whose part went unanswered only that part goes again, and all receipts deliver it", async () => {
	const { sql, operator } = messaging;
	operator.parts = 2;
	operator.script = (_, part) => (part === 2 ? unanswered : acceptedAs("p1"));
	const id = await submitted();
	await operator.receipt("p1", "delivered");
	expect(await statusOf(sql, id)).toBe("unknown");
	operator.script = () => acceptedAs("p2");
	await makeAllDue(sql);
	await dispatchAll(messaging);
	expect(operator.submits.at(-1)?.onlyParts).toEqual([2]);
	await operator.receipt("p2", "delivered");
	expect(await messageRow(sql, id)).toMatchObject({
		status: "delivered",
		possibleDuplicate: true,
	});
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test("a receipt with bytes that no text column takes is stored all the same", async () => {
	const { operator } = messaging;
	await operator.receipt("a\0b", "delivered", {
		raw: `\0${"x".repeat(10_000)}`,
		operatorError: "\0",
	});
	expect(await waitingReceipts()).toBe(1);
});

test("an accepted message ends exactly once under shuffled, repeated and contrary receipts", async () => {
	const { sql, operator } = messaging;
	const other = await messaging.replica();
	const ids = await sendAll(
		messaging,
		Array.from({ length: 100 }, () => messageTo(organization)),
	);
	await dispatchAll(messaging);
	const receipts = ids.flatMap((id, nth) => {
		const operatorId = operator.idOf(id);
		const final = nth % 3 === 0 ? "failed" : "delivered";
		return (["intermediate", final, "delivered", final] as const).map(
			(state) => ({ operatorId, state, order: Math.random() }),
		);
	});
	receipts.sort((a, b) => a.order - b.order);
	await Promise.all(
		receipts.map(({ operatorId, state }, nth) =>
			(nth % 2 === 0 ? operator : other.operator).receipt(operatorId, state),
		),
	);
	const events = await outcomes(sql);
	expect(events).toHaveLength(100);
	expect(new Set(events.map((event) => event.messageId)).size).toBe(100);
	for (const event of events)
		expect(await statusOf(sql, event.messageId)).toBe(event.status);
});
