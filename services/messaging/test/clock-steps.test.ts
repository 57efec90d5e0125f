import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { followDatabaseClock } from "../src/jobs/follow-clock.ts";
import { isCommitOverdue } from "../src/store/missing-messages.ts";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	reasonOf,
	retryAll,
	send,
	sendOne,
	startTestMessaging,
	submittedMessage,
	type TestMessaging,
} from "./support/messaging.ts";
import {
	dispatchOf,
	makeAllDue,
	outcomesOf,
	statusOf,
} from "./support/rows.ts";
import {
	acceptedAs,
	noResponse,
	refusedForNow,
} from "./support/scripted-operator.ts";

const BACK_MS = -5 * 60_000;
const FORWARD_MS = 60_000;

let messaging: TestMessaging;

beforeAll(async () => {
	messaging = await startTestMessaging({ hasMovableClock: true });
});

afterEach(async () => {
	messaging.operator.script = (message) => acceptedAs(message.messageId);
	messaging.ledger.beforeResponse = async () => {};
	await messaging.database.setClock(0);
});

afterAll(() => messaging.close());

test.each([
	["5 minutes back", BACK_MS],
	["1 minute forward", FORWARD_MS],
])(
	"a message is not stored after the clock stepped %s: its time cannot be told",
	async (_, stepMs) => {
		const organization = await organizationWith(messaging, 5);
		messaging.ledger.beforeResponse = () => messaging.database.setClock(stepMs);
		const [result] = await send(messaging, [messageTo(organization)]);
		expect(reasonOf(result)).toBe("service_unavailable");
		expect(messaging.ledger.balances.get(organization)).toBe(5);
	},
);

test("nothing is called missing while a transaction runs that began before the clock stepped back", async () => {
	const organization = await organizationWith(messaging, 5);
	const id = await sendOne(messaging, messageTo(organization));
	expect(await isCommitOverdue(messaging.sql)).toBe(false);
	await messaging.database.connect(1).begin(async (open) => {
		await open`update messages set attempts = attempts where id = ${id}`;
		// The view moves the beginnings of all transactions; a step does not.
		await messaging.sql`
			create or replace view pg_stat_activity as
			select pid, datname, application_name, xact_start
			from pg_catalog.pg_stat_activity
		`;
		await messaging.database.setClock(BACK_MS);
		expect(await isCommitOverdue(messaging.sql)).toBe(true);
	});
	expect(await isCommitOverdue(messaging.sql)).toBe(false);
});

const NAMED = {
	numberTails: ["2345678"],
	addresses: ["33612345678", "airtower"],
};

test("a receipt that comes after the clock stepped back ends its message", async () => {
	const { sql, operator, database } = messaging;
	const organization = await organizationWith(messaging, 5);
	const id = await submittedMessage(messaging, organization);
	await database.setClock(BACK_MS);
	await operator.receipt(operator.idOf(id), "delivered");
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test("a receipt that comes after the clock stepped back, and before its response, ends its message", async () => {
	const { sql, operator, database, dispatcher } = messaging;
	const organization = await organizationWith(messaging, 5);
	const response = Promise.withResolvers<void>();
	operator.script = async () => {
		await response.promise;
		return acceptedAs("early");
	};
	const id = await sendOne(messaging, messageTo(organization));
	await dispatcher.round();
	await database.setClock(BACK_MS);
	await operator.receipt("early", "delivered");
	response.resolve();
	await dispatcher.idle();
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test("a receipt that comes after the clock stepped back resolves its unknown message", async () => {
	const { sql, operator, database } = messaging;
	const organization = await organizationWith(messaging, 5);
	operator.script = () => noResponse;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	await database.setClock(BACK_MS);
	await operator.receipt("lost", "delivered", NAMED);
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test("a parked receipt is not applied to a message that is accepted after it, though the clock stepped back between", async () => {
	const { sql, operator, database } = messaging;
	const organization = await organizationWith(messaging, 5);
	await operator.receipt("reused", "failed");
	await database.setClock(BACK_MS);
	operator.script = () => acceptedAs("reused");
	const id = await submittedMessage(messaging, organization);
	await database.setClock(0);
	await makeAllDue(sql);
	await retryAll(messaging);
	expect(await statusOf(sql, id)).toBe("submitted");
});

test("what was accepted before the clock stepped back goes at once, in its order", async () => {
	const { sql, operator, database, ctx } = messaging;
	const organization = await organizationWith(messaging, 5);
	await followDatabaseClock(ctx);
	const ids: string[] = [];
	for (const body of ["first", "second", "third"])
		ids.push(await sendOne(messaging, messageTo(organization, { body })));
	await database.setClock(BACK_MS);
	await followDatabaseClock(ctx);
	const before = operator.submits.length;
	operator.slots = 1;
	await eventually(async () => {
		await dispatchAll(messaging);
		for (const id of ids) expect(await statusOf(sql, id)).toBe("submitted");
	});
	const bodies = operator.submits.slice(before).map(({ body }) => body);
	expect(bodies).toEqual(["first", "second", "third"]);
});

test("what waits to be tried again waits no longer for a step back, and an unknown message no shorter", async () => {
	const { sql, operator, database, ctx } = messaging;
	const organization = await organizationWith(messaging, 5);
	await followDatabaseClock(ctx);
	operator.script = ({ body }) =>
		body === "unknown" ? noResponse : refusedForNow;
	const [refused, unknown] = [
		await sendOne(messaging, messageTo(organization)),
		await sendOne(messaging, messageTo(organization, { body: "unknown" })),
	];
	await dispatchAll(messaging);
	const before = await dispatchOf(sql, refused);
	await database.setClock(BACK_MS);
	await followDatabaseClock(ctx);
	const after = await dispatchOf(sql, refused);
	expect(after?.dueInS).toBeLessThan((before?.dueInS ?? 0) + 10);
	expect((await dispatchOf(sql, unknown))?.dueInS).toBeGreaterThan(50);
});
