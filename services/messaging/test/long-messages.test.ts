import { afterEach, beforeEach, expect, test } from "vitest";
import { fixedRoutes } from "../src/routes/routes.ts";
import { openRouting } from "../src/routes/routing.ts";
import { findParts } from "../src/store/parts.ts";
import {
	dispatchAll,
	messageTo,
	sendAll,
	sendOne,
	startWithOrganization,
	TEST_ROUTE,
	type TestMessaging,
} from "./support/messaging.ts";
import {
	dispatchOf,
	makeAllDue,
	messageRow,
	outcomes,
	outcomesOf,
	statusOf,
} from "./support/rows.ts";
import {
	acceptedAs,
	createScriptedOperator,
	noResponse,
	refusedForNow,
	unsent,
} from "./support/scripted-operator.ts";

let messaging: TestMessaging;
let organization: string;

beforeEach(async () => {
	({ messaging, organization } = await startWithOrganization());
});

afterEach(() => messaging.close());

/** A message that the operator has taken. */
async function submitted(): Promise<string> {
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	return id;
}

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

test("a message of more parts than its text has by itself costs what the operator charges for all of them", async () => {
	const operator = createScriptedOperator();
	const { code, account } = operator;
	const cost = { amount: 0.05, currency: "EUR" };
	const priced = fixedRoutes([{ ...TEST_ROUTE, code, account, cost }]);
	const routes = await openRouting(messaging.sql, priced);
	const process = {
		...messaging,
		...(await messaging.replica({ operator, routes })),
	};
	const costs: bigint[] = [];
	for (const parts of [3, 1]) {
		operator.parts = parts;
		const body = parts === 3 ? "ç is one part" : "two parts ".repeat(20);
		const id = await sendOne(process, messageTo(organization, { body }));
		await dispatchAll(process);
		for (let part = 1; part <= parts; part++)
			await operator.receipt(operator.idOf(id, part), "delivered");
		const all = await outcomes(messaging.sql);
		costs.push(all.find((one) => one.messageId === id)?.costMicros ?? 0n);
	}
	// Who takes a text in one piece, or says nothing of segments, charges for those of the text.
	expect(costs).toEqual([150_000n, 100_000n]);
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
	operator.script = (_, part) => (part === 2 ? noResponse : acceptedAs("p1"));
	const id = await submitted();
	expect(await statusOf(sql, id)).toBe("unknown");
	await operator.receipt("p1", "failed");
	expect(await statusOf(sql, id)).toBe("failed");
	expect(await dispatchOf(sql, id)).toBeUndefined();
});

test("of a message whose part got no response only that part goes again, and all receipts deliver it", async () => {
	const { sql, operator } = messaging;
	operator.parts = 2;
	operator.script = (_, part) => (part === 2 ? noResponse : acceptedAs("p1"));
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

test.each([
	["takes another number of parts", { parts: 3 }],
	["is split in another way", { split: 9 }],
])(
	"a text that %s now goes whole once more, marked, and only the new parts count",
	async (_, change) => {
		const { sql, operator } = messaging;
		Object.assign(operator, { parts: 2, split: 7 });
		operator.script = (_, part) =>
			part === 2 ? refusedForNow : acceptedAs("before");
		const id = await submitted();
		Object.assign(operator, change);
		operator.script = (_, part) => acceptedAs(`after ${part}`);
		await makeAllDue(sql);
		await dispatchAll(messaging);
		expect(await messageRow(sql, id)).toMatchObject({
			status: "submitted",
			possibleDuplicate: true,
		});
		const numbers = Array.from({ length: operator.parts }, (_, nth) => nth + 1);
		const parts = await findParts(sql, id);
		expect(parts.map((part) => part.operatorMessageId)).toEqual(
			numbers.map((part) => `after ${part}`),
		);
		await operator.receipt("before", "failed");
		for (const part of numbers)
			await operator.receipt(`after ${part}`, "delivered");
		expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
	},
);

test("a text that is split as before goes on with the part that is missing", async () => {
	const { sql, operator } = messaging;
	Object.assign(operator, { parts: 2, split: -7 });
	operator.script = (_, part) =>
		part === 2 ? refusedForNow : acceptedAs(`part ${part}`);
	const id = await submitted();
	operator.script = (_, part) => acceptedAs(`part ${part}`);
	await makeAllDue(sql);
	await dispatchAll(messaging);
	expect(operator.submits.at(-1)?.onlyParts).toEqual([2]);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "submitted",
		possibleDuplicate: false,
	});
});

test("of a text that takes another number of parts now nothing is forgotten while nothing was sent", async () => {
	const { sql, operator } = messaging;
	operator.parts = 2;
	operator.script = (_, part) =>
		part === 2 ? refusedForNow : acceptedAs("of two");
	const id = await submitted();
	operator.parts = 3;
	operator.script = () => unsent;
	await makeAllDue(sql);
	await messaging.dispatcher.round();
	await messaging.dispatcher.idle();
	expect(await findParts(sql, id)).toHaveLength(1);
	expect((await messageRow(sql, id)).possibleDuplicate).toBe(false);
});
