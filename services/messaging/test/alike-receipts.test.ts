import { afterEach, beforeEach, expect, test } from "vitest";
import {
	dispatchAll,
	messageTo,
	retryAll,
	sendAll,
	sendOne,
	startWithOrganization,
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
	messaging.operator.script = () => noResponse;
});

afterEach(() => messaging.close());

const NAMED = {
	numberTails: ["2345678"],
	addresses: ["33612345678", "airtower"],
};

/** Two messages to one number, both without a response. */
async function sendTwo(): Promise<string[]> {
	const two = [messageTo(organization), messageTo(organization)];
	const ids = await sendAll(messaging, two);
	await dispatchAll(messaging);
	return ids;
}

async function receive(
	states: Readonly<Record<string, "delivered" | "failed" | "intermediate">>,
): Promise<void> {
	for (const [id, state] of Object.entries(states))
		await messaging.operator.receipt(id, state, NAMED);
}

async function lookAgain(): Promise<void> {
	await makeAllDue(messaging.sql);
	await retryAll(messaging);
}

test.each([
	["delivered", "delivered"],
	["failed", "undeliverable"],
] as const)(
	"as many receipts as submits without a response, all of which say %s, resolve all of their messages",
	async (state, outcome) => {
		const { sql, operator } = messaging;
		const ids = await sendTwo();
		await receive({ "71": state, "72": state });
		await lookAgain();
		for (const id of ids) expect(await outcomesOf(sql, id)).toEqual([outcome]);
		await dispatchAll(messaging);
		expect(operator.submits).toHaveLength(2);
		expect(await waitingReceipts(sql)).toBe(0);
		expect((await sql`select from unanswered`).count).toBe(0);
	},
);

test("messages whose repeated submits lost their responses too are resolved by the receipts of all submits", async () => {
	const { sql, operator } = messaging;
	const ids = await sendTwo();
	await makeAllDue(sql);
	await dispatchAll(messaging);
	expect(operator.submits).toHaveLength(4);
	await receive({ "71": "delivered", "72": "delivered", "73": "delivered" });
	await lookAgain();
	for (const id of ids) expect(await statusOf(sql, id)).toBe("unknown");
	await receive({ "74": "delivered" });
	await lookAgain();
	for (const id of ids)
		expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test.each([
	["say different things", { "71": "delivered", "72": "failed" }],
	["are of one id", { "71": "delivered", "071": "intermediate" }],
	[
		"say that one is still under way",
		{ "71": "delivered", "72": "intermediate" },
	],
	[
		"are more than the submits, one of them still under way",
		{ "71": "delivered", "72": "delivered", "73": "intermediate" },
	],
	[
		"are more than the submits",
		{ "71": "delivered", "72": "delivered", "73": "delivered" },
	],
] as const)("receipts that %s resolve nothing", async (_, states) => {
	const { sql, operator } = messaging;
	const ids = await sendTwo();
	for (const [id, state] of Object.entries(states))
		await operator.receipt(id, state, {
			...NAMED,
			matchKeys: [String(Number(id))],
		});
	await lookAgain();
	for (const id of ids) expect(await statusOf(sql, id)).toBe("unknown");
});

test("receipts of a long message's parts are not counted", async () => {
	const { sql, operator } = messaging;
	operator.parts = 2;
	const ids = await sendTwo();
	await receive({ "71": "delivered", "72": "delivered" });
	await lookAgain();
	for (const id of ids) expect(await statusOf(sql, id)).toBe("unknown");
});

test("nothing is resolved while another message to the number waits for its response", async () => {
	const { sql, operator, dispatcher } = messaging;
	const ids = await sendTwo();
	const response = Promise.withResolvers<void>();
	operator.script = async () => {
		await response.promise;
		return acceptedAs("72");
	};
	const third = await sendOne(messaging, messageTo(organization));
	await dispatcher.round();
	await receive({ "71": "delivered", "72": "delivered" });
	await lookAgain();
	for (const id of ids) expect(await statusOf(sql, id)).toBe("unknown");
	response.resolve();
	await dispatcher.idle();
	await lookAgain();
	expect(await outcomesOf(sql, third)).toEqual(["delivered"]);
	for (const id of ids) expect(await statusOf(sql, id)).toBe("unknown");
	await receive({ "73": "delivered" });
	await lookAgain();
	for (const id of ids)
		expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test("an id that comes again for a message that was resolved so moves no later message", async () => {
	const { sql } = messaging;
	await sendTwo();
	await receive({ "71": "delivered", "72": "delivered" });
	await lookAgain();
	const later = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	await receive({ "72": "delivered" });
	await lookAgain();
	expect(await statusOf(sql, later)).toBe("unknown");
});
