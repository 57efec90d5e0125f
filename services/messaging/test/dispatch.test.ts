import { eventually } from "@airtower/platform/testing/eventually";
import { troubledSql } from "@airtower/platform/testing/troubled-sql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDispatcher } from "../src/dispatching/dispatcher.ts";
import { createClaims } from "../src/dispatching/shared-statements.ts";
import {
	dispatchAll,
	messageTo,
	sendOne,
	startWithOrganization,
	type TestMessaging,
} from "./support/messaging.ts";
import {
	CLAIM,
	dispatchOf,
	makeAllDue,
	messageRow,
	outcomes,
	outcomesOf,
	statusOf,
} from "./support/rows.ts";
import {
	acceptedAs,
	refusedForGood,
	refusedForNow,
	throttled,
	unclear,
	unsent,
} from "./support/scripted-operator.ts";

let messaging: TestMessaging;
let organization: string;

beforeEach(async () => {
	({ messaging, organization } = await startWithOrganization());
});

afterEach(() => messaging.close());

test("a message goes to the operator once and leaves the queue", async () => {
	const { sql, operator } = messaging;
	const id = await sendOne(
		messaging,
		messageTo(organization, { body: "Hello €" }),
	);
	await dispatchAll(messaging);
	expect(operator.submits).toEqual([
		{
			messageId: id,
			organizationId: organization,
			lane: 1,
			clientReference: null,
			attempt: 1,
			to: "+33612345678",
			sender: "Airtower",
			body: "Hello €",
			validitySeconds: expect.any(Number),
			reference: 0,
		},
	]);
	expect(operator.submits[0]?.validitySeconds).toBeGreaterThan(86_300);
	expect(await messageRow(sql, id)).toEqual({
		status: "submitted",
		reason: null,
		attempts: 1,
		possibleDuplicate: false,
	});
	expect(await dispatchOf(sql, id)).toBeUndefined();
	expect(await outcomes(sql)).toEqual([]);
});

test("a message is marked as submitting before it is on the wire", async () => {
	const { sql, operator } = messaging;
	const seen: string[] = [];
	operator.script = async ({ messageId }) => {
		seen.push(await statusOf(sql, messageId));
		seen.push((await dispatchOf(sql, messageId))?.state ?? "gone");
		return acceptedAs("1");
	};
	await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	expect(seen).toEqual(["submitting", "submitting"]);
});

test("a permanent refusal fails the message at once, with one event", async () => {
	const { sql, operator } = messaging;
	operator.script = () => refusedForGood;
	const id = await sendOne(
		messaging,
		messageTo(organization, { clientReference: "order 7" }),
	);
	await dispatchAll(messaging);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "failed",
		reason: "rejected",
	});
	const events = await outcomes(sql);
	expect(events).toHaveLength(1);
	expect(events[0]).toMatchObject({
		messageId: id,
		organizationId: organization,
		channel: "sms",
		status: "failed",
		to: "+33612345678",
		clientReference: "order 7",
		campaignId: "",
		errorCode: "rejected",
		errorMessage: "The operator refused the message.",
	});
	expect(await dispatchOf(sql, id)).toBeUndefined();
});

test("temporary refusals back off, longer each time, until the operator takes the message", async () => {
	const { sql, operator } = messaging;
	operator.script = () => refusedForNow;
	const id = await sendOne(messaging, messageTo(organization));
	const waits: number[] = [];
	for (let round = 0; round < 4; round++) {
		await dispatchAll(messaging);
		waits.push((await dispatchOf(sql, id))?.dueInS ?? 0);
		await makeAllDue(sql);
	}
	expect(waits).toEqual(waits.toSorted((a, b) => a - b));
	expect(waits[0]).toBeGreaterThan(1);
	expect(waits[3]).toBeGreaterThan(12);
	expect(await statusOf(sql, id)).toBe("submitting");
	operator.script = () => acceptedAs("1");
	await dispatchAll(messaging);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "submitted",
		attempts: 5,
		possibleDuplicate: false,
	});
});

test("a throttled message waits as long as the operator says, and is not refused", async () => {
	const { sql, operator } = messaging;
	operator.script = () => throttled;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	const row = await dispatchOf(sql, id);
	expect(row).toMatchObject({ state: "queued", refusals: 0 });
	expect(row?.dueInS).toBeGreaterThan(55);
});

test("messages that were throttled briefly are due in the order they were accepted, before later ones", async () => {
	const { sql, operator, dispatcher } = messaging;
	operator.script = () => ({ ...throttled, retryAfterMs: 300 });
	const sendNext = () => sendOne(messaging, messageTo(organization));
	const ids = [await sendNext(), await sendNext()];
	expect(await dispatcher.round()).toBe(2);
	await dispatcher.idle();
	ids.push(await sendNext());
	const due = await sql<{ id: string }[]>`
		select message_id as id
		from dispatch
		where token is null
		order by due_at
	`;
	expect(due.map(({ id }) => id)).toEqual(ids);
	operator.script = () => acceptedAs("1");
	await dispatchAll(messaging);
	for (const id of ids) expect(await statusOf(sql, id)).toBe("submitted");
});

test("an unclear refusal is tried once more, then fails", async () => {
	const { sql, operator } = messaging;
	operator.script = () => unclear;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	expect(await statusOf(sql, id)).toBe("submitting");
	await makeAllDue(sql);
	await dispatchAll(messaging);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "failed",
		reason: "operator_error",
		attempts: 2,
	});
	expect(await outcomesOf(sql, id)).toEqual(["operator_error"]);
});

test("an unsent message goes back without counting as an attempt", async () => {
	const { sql, operator } = messaging;
	operator.script = () => unsent;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "accepted",
		attempts: 0,
	});
	expect((await dispatchOf(sql, id))?.dueInS).toBeLessThan(1);
});

test("only the parts that are missing go again", async () => {
	const { sql, operator } = messaging;
	operator.parts = 3;
	operator.script = (_, part) =>
		part === 2 ? refusedForNow : acceptedAs(`p${part}`);
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	expect(await statusOf(sql, id)).toBe("submitting");
	operator.script = () => acceptedAs("p2");
	await makeAllDue(sql);
	await dispatchAll(messaging);
	expect(operator.submits.map((submit) => submit.onlyParts)).toEqual([
		undefined,
		[2],
	]);
	expect(await statusOf(sql, id)).toBe("submitted");
});

test("a message past its validity fails as expired and is not sent", async () => {
	const { sql, operator } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	await sql`update dispatch set expires_at = now() - interval '1 second'`;
	await dispatchAll(messaging);
	expect(operator.submits).toEqual([]);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "failed",
		reason: "expired",
		attempts: 0,
	});
	expect(await outcomesOf(sql, id)).toEqual(["expired"]);
	expect(await dispatchOf(sql, id)).toBeUndefined();
});

test("a message whose validity ends while the process stands still is not sent", async () => {
	const { operator, ctx, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	await sql`update dispatch set expires_at = now() + interval '100 milliseconds'`;
	const { fates, sql: troubled } = troubledSql(sql);
	fates.set(CLAIM, async (run) => {
		const claimed = await run();
		await eventually(async () => {
			const valid = await sql`select from dispatch where expires_at > now()`;
			expect(valid.count).toBe(0);
		});
		return claimed;
	});
	const dispatcher = createDispatcher(
		{ ...ctx, sql: troubled, claims: createClaims(troubled) },
		operator,
	);
	expect(await dispatcher.round()).toBe(1);
	await dispatcher.idle();
	expect(operator.submits).toEqual([]);
	expect(await outcomesOf(sql, id)).toEqual(["expired"]);
});

test.each([
	{ clock: "ahead", byMs: 120_000 },
	{ clock: "behind", byMs: -120_000 },
])(
	"a process whose clock is $clock sends a message that is valid, for the rest of its validity",
	async ({ byMs }) => {
		const replica = await messaging.replica({
			clock: () => new Date(Date.now() + byMs),
			limits: { validityMs: 60_000 },
		});
		await sendOne(replica, messageTo(organization));
		await dispatchAll(replica);
		const { submits } = replica.operator;
		expect(submits).toHaveLength(1);
		expect(submits[0]?.validitySeconds).toBeGreaterThan(0);
		expect(submits[0]?.validitySeconds).toBeLessThanOrEqual(60);
	},
);
