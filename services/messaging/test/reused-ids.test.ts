import { afterEach, beforeEach, expect, test } from "vitest";
import { dispatchMessages } from "../src/jobs/dispatch-messages.ts";
import {
	messageTo,
	retryAll,
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
	messaging.operator.script = () => acceptedAs("again");
});

afterEach(() => messaging.close());

/** Lets every response to a submit come that still can. */
async function letResponsesCome(): Promise<void> {
	await messaging.sql`
		update receipts
		set received_at = received_at - interval '5 minutes'
	`;
	await messaging.sql`
		update messages
		set accepted_at = accepted_at - interval '10 minutes'
	`;
	await makeAllDue(messaging.sql);
	await retryAll(messaging);
}

test("a receipt is of the open message when the operator has used its id before", async () => {
	const { sql, operator } = messaging;
	const ended = await submittedMessage(messaging, organization);
	await operator.receipt("again", "failed");
	const open = await submittedMessage(messaging, organization);
	await operator.receipt("again", "delivered");
	expect(await outcomesOf(sql, ended)).toEqual(["undeliverable"]);
	expect(await outcomesOf(sql, open)).toEqual(["delivered"]);
	expect(await waitingReceipts(sql)).toBe(0);
});

test("a receipt that precedes its response is not swallowed by an ended message with the same id", async () => {
	const { sql, operator, ctx, dispatcher } = messaging;
	const ended = await submittedMessage(messaging, organization);
	await operator.receipt("again", "failed");
	const response = Promise.withResolvers<void>();
	operator.script = async () => {
		await response.promise;
		return acceptedAs("again");
	};
	const open = await sendOne(messaging, messageTo(organization));
	await dispatchMessages(ctx, dispatcher);
	await operator.receipt("again", "delivered");
	response.resolve();
	await dispatcher.idle();
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await outcomesOf(sql, open)).toEqual(["delivered"]);
	expect(await outcomesOf(sql, ended)).toEqual(["undeliverable"]);
	expect(await waitingReceipts(sql)).toBe(0);
});

test("a receipt that comes again for an ended message moves nothing, and is gone once every response has come", async () => {
	const { sql, operator } = messaging;
	const id = await submittedMessage(messaging, organization);
	await operator.receipt("again", "delivered");
	await operator.receipt("again", "failed");
	await letResponsesCome();
	expect(await statusOf(sql, id)).toBe("delivered");
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
	expect(await waitingReceipts(sql)).toBe(0);
});

test("of several ended messages with one id none is named, and nothing is kept", async () => {
	const { sql, operator } = messaging;
	for (let round = 0; round < 3; round++) {
		await submittedMessage(messaging, organization);
		await operator.receipt("again", "delivered");
	}
	await operator.receipt("again", "failed");
	await letResponsesCome();
	expect(await waitingReceipts(sql)).toBe(0);
});
