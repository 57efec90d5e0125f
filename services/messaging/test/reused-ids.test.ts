import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { numberTails } from "../src/domain/receipts/receipt.ts";
import {
	dispatchAll,
	insertSender,
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
import { acceptedAs, noResponse } from "./support/scripted-operator.ts";

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
	const { sql, operator, dispatcher } = messaging;
	const ended = await submittedMessage(messaging, organization);
	await operator.receipt("again", "failed");
	const response = Promise.withResolvers<void>();
	operator.script = async () => {
		await response.promise;
		return acceptedAs("again");
	};
	const open = await sendOne(messaging, messageTo(organization));
	await dispatcher.round();
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

/**
 * An open message to another number has the id that the operator gives again; what a receipt names of the later one.
 */
const FORMER = "+33688880401";
const LATER = "+33612345678";
const NAMED = {
	numberTails: ["2345678"],
	addresses: ["33612345678", "airtower"],
};

async function sendTo(to: string, from?: string): Promise<string> {
	const fields = { to, ...(from && { senderName: from }) };
	const id = await sendOne(messaging, messageTo(organization, fields));
	await dispatchAll(messaging);
	return id;
}

async function lookAgain(): Promise<void> {
	await makeAllDue(messaging.sql);
	await retryAll(messaging);
}

test.each(["delivered", "failed"] as const)(
	"a receipt (%s) that precedes its response ends no open message to another number with the same id",
	async (state) => {
		const { sql, operator, dispatcher } = messaging;
		const former = await sendTo(FORMER);
		const response = Promise.withResolvers<void>();
		operator.script = async () => {
			await response.promise;
			return acceptedAs("again");
		};
		const later = await sendOne(messaging, messageTo(organization));
		await dispatcher.round();
		await operator.receipt("again", state, NAMED);
		expect(await outcomesOf(sql, former)).toEqual([]);
		response.resolve();
		await dispatcher.idle();
		await lookAgain();
		expect(await outcomesOf(sql, former)).toEqual([]);
		expect(await statusOf(sql, later)).toBe(state);
	},
);

test("of two open messages with one id each gets the receipt that names its number", async () => {
	const { sql, operator } = messaging;
	const former = await sendTo(FORMER);
	const later = await sendTo(LATER);
	await operator.receipt("again", "delivered", NAMED);
	expect(await outcomesOf(sql, former)).toEqual([]);
	expect(await outcomesOf(sql, later)).toEqual(["delivered"]);
	await operator.receipt("again", "failed", {
		numberTails: ["8880401"],
		addresses: ["33688880401", "airtower"],
	});
	expect(await outcomesOf(sql, former)).toEqual(["undeliverable"]);
	expect(await waitingReceipts(sql)).toBe(0);
});

test("when the later response is lost its receipt resolves the later message, not the open one with the same id", async () => {
	const { sql, operator } = messaging;
	const former = await sendTo(FORMER);
	operator.script = () => noResponse;
	const later = await sendTo(LATER);
	await operator.receipt("again", "delivered", NAMED);
	await lookAgain();
	await dispatchAll(messaging);
	expect(await outcomesOf(sql, former)).toEqual([]);
	expect(await outcomesOf(sql, later)).toEqual(["delivered"]);
	expect(operator.submits).toHaveLength(2);
});

test("a receipt that names another number than the only message with its id, open or ended, is kept", async () => {
	const { sql, operator, ctx } = messaging;
	const open = await sendTo(FORMER);
	const counted = vi.spyOn(ctx.telemetry.receipts, "inc");
	await operator.receipt("again", "delivered", NAMED);
	expect(counted).toHaveBeenCalledWith({ result: "other_number" }, 1);
	await letResponsesCome();
	expect(await statusOf(sql, open)).toBe("submitted");
	await operator.receipt("again", "delivered");
	await letResponsesCome();
	expect(await statusOf(sql, open)).toBe("delivered");
	expect(await waitingReceipts(sql)).toBe(1);
});

test.each([
	["no number", []],
	["the sender's number only", ["+33700000001"]],
	["a number with its end hidden", ["3361234XXXX", "+33700000001"]],
	["a short code", ["38200"]],
	["its number in full", ["33612345678", "33700000001"]],
	["its number with a plus", ["+33612345678"]],
	["its number with 00", ["0033612345678"]],
	["its number as it is dialled at home", ["0612345678"]],
	["its number without a country code", ["612345678"]],
	["its number behind a routing prefix", ["99033612345678"]],
	["sender and recipient the other way round", ["33700000001", "33612345678"]],
])(
	"a receipt that names %s finds its message by the id",
	async (_, addresses) => {
		const { sql, operator } = messaging;
		await insertSender(sql, organization, { value: "33700000001" });
		const id = await sendTo(LATER, "33700000001");
		const numbers = numberTails(addresses);
		await operator.receipt("again", "delivered", { numberTails: numbers });
		expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
	},
);
