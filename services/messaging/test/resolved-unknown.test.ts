import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import { letLeaseRunOut, submitAndHang } from "./support/leases.ts";
import {
	dispatchAll,
	messageTo,
	retryAll,
	sendOne,
	startWithOrganization,
	type TestMessaging,
} from "./support/messaging.ts";
import {
	dispatchOf,
	makeAllDue,
	messageRow,
	outcomesOf,
	statusOf,
	waitingReceipts,
} from "./support/rows.ts";
import {
	acceptedAs,
	noResponse,
	refusedForNow,
	throttled,
	unsent,
} from "./support/scripted-operator.ts";

let messaging: TestMessaging;
let organization: string;

beforeEach(async () => {
	({ messaging, organization } = await startWithOrganization());
	messaging.operator.script = () => noResponse;
});

afterEach(() => messaging.close());

/** What a receipt of a message to the usual recipient names. */
const NAMED = {
	numberTails: ["2345678"],
	addresses: ["33612345678", "airtower"],
};

async function sendWithoutResponse(to = "+33612345678"): Promise<string> {
	const id = await sendOne(messaging, messageTo(organization, { to }));
	await dispatchAll(messaging);
	return id;
}

/** Parked receipts are looked at again, then whatever waits is sent. */
async function letTimePass(): Promise<void> {
	await makeAllDue(messaging.sql);
	await retryAll(messaging);
	await dispatchAll(messaging);
}

test("a receipt that came before the response was given up resolves the message before it is sent again", async () => {
	const { sql, operator, dispatcher } = messaging;
	const response = Promise.withResolvers<typeof noResponse>();
	operator.script = () => response.promise;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatcher.round();
	await operator.receipt("77", "delivered", NAMED);
	await retryAll(messaging);
	await sql`update receipts set due_at = now() + interval '10 minutes'`;
	response.resolve(noResponse);
	await dispatcher.idle();
	await retryAll(messaging);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "delivered",
		attempts: 1,
		possibleDuplicate: false,
	});
	await letTimePass();
	expect(operator.submits).toHaveLength(1);
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
	expect(await waitingReceipts(sql)).toBe(0);
});

test("a receipt that is parked already resolves the message before it is sent again, however soon that is due", async () => {
	const { sql, operator, dispatcher } = messaging;
	const id = await sendWithoutResponse();
	await operator.receipt("77", "delivered", NAMED);
	await sql`update receipts set due_at = now() + interval '10 minutes'`;
	await sql`update dispatch set due_at = now()`;
	expect(await dispatcher.round()).toBe(0);
	await dispatchAll(messaging);
	expect(operator.submits).toHaveLength(1);
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test.each([
	["delivered", "delivered"],
	["failed", "undeliverable"],
] as const)(
	"a receipt that says %s resolves an unknown message",
	async (state, outcome) => {
		const { sql, operator } = messaging;
		const id = await sendWithoutResponse();
		await operator.receipt("77", state, NAMED);
		await letTimePass();
		expect(await outcomesOf(sql, id)).toEqual([outcome]);
		expect(operator.submits).toHaveLength(1);
	},
);

test.each([
	["refused for now", refusedForNow, 2],
	["throttled", throttled, 2],
	["not written", unsent, 1],
])(
	"a receipt that comes after the repetition was %s resolves the message, which does not go once more",
	async (_, outcome, attempts) => {
		const { sql, operator } = messaging;
		const id = await sendWithoutResponse();
		operator.script = () => outcome;
		await letTimePass();
		expect(operator.submits).toHaveLength(2);
		await operator.receipt("77", "delivered", NAMED);
		operator.script = () => acceptedAs("again");
		await letTimePass();
		expect(operator.submits).toHaveLength(2);
		expect(await messageRow(sql, id)).toMatchObject({
			status: "delivered",
			attempts,
			possibleDuplicate: attempts > 1,
		});
		expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
	},
);

test("a receipt that comes after a repetition brought one of two parts is not taken for the other's, which goes again", async () => {
	const { sql, operator } = messaging;
	operator.parts = 2;
	const id = await sendWithoutResponse();
	operator.script = (_, part) => (part === 1 ? acceptedAs("p1") : throttled);
	await letTimePass();
	await operator.receipt("77", "delivered", NAMED);
	operator.script = (_, part) => acceptedAs(`p${part}`);
	await letTimePass();
	expect(operator.submits.map(({ onlyParts }) => onlyParts)).toEqual([
		undefined,
		undefined,
		[2],
	]);
	expect(await statusOf(sql, id)).toBe("submitted");
});

test("an intermediate receipt proves that the operator has the message; the final one is found by its id", async () => {
	const { sql, operator } = messaging;
	const id = await sendWithoutResponse();
	await operator.receipt("77", "intermediate", NAMED);
	await letTimePass();
	expect(await statusOf(sql, id)).toBe("submitted");
	expect(await dispatchOf(sql, id)).toBeUndefined();
	await operator.receipt("77", "delivered", NAMED);
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test("a receipt that fits two unknown messages is neither's: both go again", async () => {
	const { sql, operator } = messaging;
	const ids = [await sendWithoutResponse(), await sendWithoutResponse()];
	await operator.receipt("77", "delivered", NAMED);
	await makeAllDue(sql);
	await retryAll(messaging);
	for (const id of ids) expect(await statusOf(sql, id)).toBe("unknown");
	await letTimePass();
	expect(operator.submits).toHaveLength(4);
	expect(await waitingReceipts(sql)).toBe(1);
});

test("a message that was sent again still counts: its first receipt is not another's", async () => {
	const { sql, operator } = messaging;
	const first = await sendWithoutResponse();
	operator.script = () => acceptedAs("second-try");
	await letTimePass();
	operator.script = () => noResponse;
	const later = await sendWithoutResponse();
	await operator.receipt("77", "delivered", NAMED);
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, first)).toBe("submitted");
	expect(await statusOf(sql, later)).toBe("unknown");
});

test("a receipt that may be of a message on its way waits for that one's response", async () => {
	const { sql, operator, dispatcher } = messaging;
	const unknown = await sendWithoutResponse();
	const response = Promise.withResolvers<void>();
	operator.script = async () => {
		await response.promise;
		return acceptedAs("88");
	};
	const onItsWay = await sendOne(messaging, messageTo(organization));
	await dispatcher.round();
	await operator.receipt("88", "delivered", NAMED);
	await retryAll(messaging);
	expect(await statusOf(sql, unknown)).toBe("unknown");
	response.resolve();
	await dispatcher.idle();
	await sql`update receipts set due_at = now()`;
	await retryAll(messaging);
	expect(await statusOf(sql, unknown)).toBe("unknown");
	expect(await statusOf(sql, onItsWay)).toBe("delivered");
});

test.each([
	["another recipient", { ...NAMED, addresses: ["33612345679", "airtower"] }],
	["another sender", { ...NAMED, addresses: ["33612345678", "shop"] }],
	["no recipient", { numberTails: [], addresses: [] }],
	["another account", { ...NAMED, operatorAccount: "account-2" }],
])("a receipt that names %s resolves nothing", async (_, named) => {
	const { sql, operator } = messaging;
	const id = await sendWithoutResponse();
	await operator.receipt("77", "delivered", named);
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, id)).toBe("unknown");
});

test.each(["delivered", "intermediate"] as const)(
	"a receipt (%s) that comes again for an ended message is no other's",
	async (state) => {
		const { sql, operator } = messaging;
		operator.script = () => acceptedAs("a1");
		await sendWithoutResponse();
		await operator.receipt("a1", state, NAMED);
		await operator.receipt("a1", "delivered", NAMED);
		operator.script = () => noResponse;
		const other = await sendWithoutResponse();
		await operator.receipt("a1", state, NAMED);
		await makeAllDue(sql);
		await retryAll(messaging);
		expect(await statusOf(sql, other)).toBe("unknown");
		await letTimePass();
		expect(operator.submits).toHaveLength(3);
		expect(await outcomesOf(sql, other)).toEqual([]);
	},
);

test("a receipt that names an ended message's id in another form is no other's", async () => {
	const { sql, operator } = messaging;
	const named = { ...NAMED, matchKeys: ["161", "a1"] };
	operator.script = () => acceptedAs("a1");
	await sendWithoutResponse();
	await operator.receipt("161", "delivered", named);
	operator.script = () => noResponse;
	const other = await sendWithoutResponse();
	await operator.receipt("161", "delivered", named);
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, other)).toBe("unknown");
});

test("an id that an ended message to another number has resolves the message of the number that is named", async () => {
	const { sql, operator } = messaging;
	operator.script = () => acceptedAs("a1");
	await sendWithoutResponse("+33612345679");
	await operator.receipt("a1", "delivered");
	operator.script = () => noResponse;
	const id = await sendWithoutResponse();
	await operator.receipt("a1", "delivered", NAMED);
	await letTimePass();
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test("a receipt that came before the message was sent is not its own", async () => {
	const { sql, operator } = messaging;
	await operator.receipt("77", "delivered", NAMED);
	await sql`update receipts set received_at = received_at - interval '1 second'`;
	const id = await sendWithoutResponse();
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, id)).toBe("unknown");
});

test("the one part of a long message whose response is missing is resolved", async () => {
	const { sql, operator } = messaging;
	operator.parts = 3;
	operator.script = (_, part) =>
		part === 2 ? noResponse : acceptedAs(`p${part}`);
	const id = await sendWithoutResponse();
	await operator.receipt("p2", "delivered", NAMED);
	await letTimePass();
	expect(await statusOf(sql, id)).toBe("submitted");
	for (const part of ["p1", "p3"]) await operator.receipt(part, "delivered");
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
	expect(operator.submits).toHaveLength(1);
});

test("a receipt of a part that was sent twice is not taken for another's, of which nothing is known", async () => {
	const { sql, operator } = messaging;
	operator.parts = 2;
	const id = await sendWithoutResponse();
	operator.script = (_, part) =>
		part === 1 ? acceptedAs("again") : noResponse;
	await letTimePass();
	await operator.receipt("p1", "delivered", NAMED);
	await operator.receipt("again", "delivered", NAMED);
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, id)).toBe("unknown");
	expect(await outcomesOf(sql, id)).toEqual([]);
});

test("what a crash left unknown is resolved by its receipt", async () => {
	const { sql, operator, ctx } = messaging;
	const dead = await messaging.replica();
	const id = await sendOne(messaging, messageTo(organization));
	await submitAndHang(dead);
	await operator.receipt("77", "delivered", NAMED);
	await sql`update receipts set due_at = now() + interval '10 minutes'`;
	await letLeaseRunOut(dead);
	expect(await rescueDispatch(ctx)).toBe(1);
	await retryAll(messaging);
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
	expect(operator.submits).toHaveLength(0);
});

test.each([
	["of 70 characters", 70, "delivered"],
	["whose parts nobody knows", 71, "unknown"],
])(
	"on a route that may add parts a receipt resolves what a crash left unknown only if it is of one part: %s",
	async (_what, length, status) => {
		const { sql, ctx, operator } = messaging;
		operator.mayAddParts = true;
		const dead = await messaging.replica();
		const body = "a".repeat(length);
		const id = await sendOne(messaging, messageTo(organization, { body }));
		await submitAndHang(dead);
		await operator.receipt("77", "delivered", NAMED);
		await letLeaseRunOut(dead);
		expect(await rescueDispatch(ctx)).toBe(1);
		await retryAll(messaging);
		expect(await statusOf(sql, id)).toBe(status);
	},
);

test("a response that comes after all takes its submit out of question", async () => {
	const { sql, operator } = messaging;
	const late = Promise.withResolvers<ReturnType<typeof acceptedAs>>();
	operator.script = () => ({
		kind: "unknown",
		why: "no response in time",
		late: late.promise,
	});
	const first = await sendWithoutResponse();
	late.resolve(acceptedAs("66"));
	await eventually(async () =>
		expect(await statusOf(sql, first)).toBe("submitted"),
	);
	operator.script = () => noResponse;
	const second = await sendWithoutResponse();
	await operator.receipt("77", "delivered", NAMED);
	await letTimePass();
	expect(await statusOf(sql, first)).toBe("submitted");
	expect(await outcomesOf(sql, second)).toEqual(["delivered"]);
});

test("a response that comes after others declared its message unknown takes its submit out of question", async () => {
	const { sql, operator, ctx } = messaging;
	const slow = await messaging.replica();
	const first = await sendOne(messaging, messageTo(organization));
	const respond = await submitAndHang(slow);
	await letLeaseRunOut(slow);
	expect(await rescueDispatch(ctx)).toBe(1);
	respond();
	await slow.dispatcher.idle();
	expect(await statusOf(sql, first)).toBe("submitted");
	const second = await sendWithoutResponse();
	await operator.receipt("77", "delivered", NAMED);
	await letTimePass();
	expect(operator.submits).toHaveLength(1);
	expect(await outcomesOf(sql, second)).toEqual(["delivered"]);
	expect((await sql`select from unanswered`).count).toBe(0);
});
