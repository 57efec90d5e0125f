import { afterEach, beforeEach, expect, test } from "vitest";
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
	messageRow,
	outcomes,
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

test("a receipt is applied before it is acknowledged, with one event, and leaves no row", async () => {
	const { sql, operator } = messaging;
	const id = await submittedMessage(messaging, organization);
	await operator.receipt(operator.idOf(id), "delivered");
	expect(await statusOf(sql, id)).toBe("delivered");
	expect(await waitingReceipts(messaging.sql)).toBe(0);
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
	const id = await submittedMessage(messaging, organization);
	const reason = "unknown_subscriber";
	await operator.receipt(operator.idOf(id), "failed", { reason });
	expect(await messageRow(sql, id)).toMatchObject({ status: "failed", reason });
	expect(await outcomesOf(sql, id)).toEqual([reason]);
});

test("a receipt that comes twice makes one event, whatever it says the second time", async () => {
	const { sql, operator } = messaging;
	const id = await submittedMessage(messaging, organization);
	await operator.receipt(operator.idOf(id), "delivered");
	await operator.receipt(operator.idOf(id), "delivered");
	await operator.receipt(operator.idOf(id), "failed");
	expect(await statusOf(sql, id)).toBe("delivered");
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test("of two contrary receipts in one batch the first counts", async () => {
	const { sql, operator } = messaging;
	const id = await submittedMessage(messaging, organization);
	await Promise.all([
		operator.receipt(operator.idOf(id), "failed"),
		operator.receipt(operator.idOf(id), "delivered"),
	]);
	expect(await statusOf(sql, id)).toBe("failed");
	expect(await outcomesOf(sql, id)).toEqual(["undeliverable"]);
});

test("an intermediate receipt changes nothing", async () => {
	const { sql, operator } = messaging;
	const id = await submittedMessage(messaging, organization);
	await operator.receipt(operator.idOf(id), "intermediate");
	expect(await statusOf(sql, id)).toBe("submitted");
	expect(await outcomes(sql)).toEqual([]);
	expect(await waitingReceipts(messaging.sql)).toBe(0);
});

test("a receipt that comes before the response waits, and is applied once the response is stored", async () => {
	const { sql, operator, dispatcher } = messaging;
	const response = Promise.withResolvers<void>();
	operator.script = async () => {
		await response.promise;
		return acceptedAs("early");
	};
	const id = await sendOne(messaging, messageTo(organization));
	await dispatcher.round();
	await operator.receipt("early", "delivered");
	expect(await waitingReceipts(messaging.sql)).toBe(1);
	response.resolve();
	await dispatcher.idle();
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, id)).toBe("delivered");
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test("a receipt with bytes that no text column takes is stored all the same", async () => {
	const { operator } = messaging;
	await operator.receipt("a\0b", "delivered", {
		raw: `\0${"x".repeat(10_000)}`,
		operatorError: "\0",
	});
	expect(await waitingReceipts(messaging.sql)).toBe(1);
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
