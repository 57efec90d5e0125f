import { transaction } from "@airtower/platform/database/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PartOutcome } from "../src/domain/submit-result.ts";
import { dispatchMessages } from "../src/jobs/dispatch-messages.ts";
import {
	dispatchAll,
	dispatchOf,
	makeAllDue,
	messageRow,
	messageTo,
	organizationWith,
	outcomes,
	outcomesOf,
	sendAll,
	sendOne,
	startTestMessaging,
	statusOf,
	type TestMessaging,
} from "./support/messaging.ts";
import {
	acceptedAs,
	refusedForGood,
	refusedForNow,
	throttled,
	unanswered,
	unclear,
	unsent,
} from "./support/scripted-operator.ts";
import { CLAIM, troubledSql } from "./support/troubled-sql.ts";

let messaging: TestMessaging;
let organization: string;

beforeEach(async () => {
	messaging = await startTestMessaging();
	organization = await organizationWith(messaging, 10_000);
});

afterEach(async () => {
	await messaging.close();
});

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

test("what is submitted stays within the operator's capacity", async () => {
	const { operator, ctx, dispatcher } = messaging;
	await sendAll(
		messaging,
		Array.from({ length: 30 }, () => messageTo(organization)),
	);
	operator.slots = 10;
	const release: (() => void)[] = [];
	operator.script = () =>
		new Promise((resolve) => {
			release.push(() => resolve(acceptedAs(`id-${release.length}`)));
		});
	expect(await dispatchMessages(ctx, dispatcher)).toBe(10);
	expect(await dispatchMessages(ctx, dispatcher)).toBe(0);
	expect(operator.submits).toHaveLength(10);
	for (const answer of release) answer();
	await dispatcher.idle();
});

test("what is answered keeps its place in the window until it is recorded", async () => {
	const { operator, ctx, dispatcher, sql } = messaging;
	await sendAll(
		messaging,
		Array.from({ length: 30 }, () => messageTo(organization)),
	);
	operator.slots = 10;
	const answer = Promise.withResolvers<void>();
	operator.script = async ({ messageId }) => {
		await answer.promise;
		return acceptedAs(messageId);
	};
	expect(await dispatchMessages(ctx, dispatcher)).toBe(10);
	await transaction(sql, async (sql) => {
		await sql`lock table dispatch in exclusive mode`;
		answer.resolve();
		await eventually(() => expect(operator.capacity()).toBe(10));
		expect(await dispatchMessages(ctx, dispatcher)).toBe(0);
	});
	await dispatchAll(messaging);
	expect(operator.submits).toHaveLength(30);
});

test("an operator that is not bound gets nothing claimed", async () => {
	const { operator, ctx, dispatcher, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	operator.bound = false;
	expect(await dispatchMessages(ctx, dispatcher)).toBe(0);
	expect(await dispatchOf(sql, id)).toMatchObject({ state: "queued" });
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

test("a unclear refusal is tried once more, then fails", async () => {
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

test("without an answer a message is unknown, and goes again once after 60 seconds, marked", async () => {
	const { sql, operator } = messaging;
	operator.script = () => unanswered;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	expect(await statusOf(sql, id)).toBe("unknown");
	const waiting = await dispatchOf(sql, id);
	expect(waiting?.state).toBe("unknown");
	expect(waiting?.dueInS).toBeGreaterThan(55);
	expect(waiting?.dueInS).toBeLessThanOrEqual(60);

	await makeAllDue(sql);
	await dispatchAll(messaging);
	expect(operator.submits).toHaveLength(2);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "unknown",
		attempts: 2,
		possibleDuplicate: true,
	});
	expect((await dispatchOf(sql, id))?.dueInS).toBeGreaterThan(86_000);
});

/** Sends a message of so many parts without an answer; answers its id, and what brings the late answers. */
async function sendUnanswered(parts: number) {
	const { operator } = messaging;
	const late = Promise.withResolvers<(part: number) => PartOutcome>();
	operator.parts = parts;
	operator.script = (_, part) => ({
		...{ kind: "unknown", why: "no answer in time" },
		late: late.promise.then((answer) => answer(part)),
	});
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	expect(await statusOf(messaging.sql, id)).toBe("unknown");
	return { id, answerLate: late.resolve };
}

test("an answer that comes after all makes a second submit needless", async () => {
	const { sql, operator } = messaging;
	const { id, answerLate } = await sendUnanswered(2);
	answerLate((part) => acceptedAs(`late-${part}`));
	await eventually(async () =>
		expect(await statusOf(sql, id)).toBe("submitted"),
	);
	expect(await dispatchOf(sql, id)).toBeUndefined();
	expect(await messageRow(sql, id)).toMatchObject({
		attempts: 1,
		possibleDuplicate: false,
	});
	for (const part of [1, 2])
		await operator.receipt(`late-${part}`, "delivered");
	expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
});

test("a refusal that comes after all lets the message go again without a mark", async () => {
	const { sql, operator } = messaging;
	const { id, answerLate } = await sendUnanswered(1);
	answerLate(() => refusedForNow);
	await eventually(async () =>
		expect(await dispatchOf(sql, id)).toMatchObject({ state: "queued" }),
	);
	operator.script = () => acceptedAs("1");
	await makeAllDue(sql);
	await dispatchAll(messaging);
	expect(await messageRow(sql, id)).toMatchObject({
		...{ status: "submitted", attempts: 2, possibleDuplicate: false },
	});
});

test("an answer that comes after its message has been sent again changes nothing", async () => {
	const { sql, operator } = messaging;
	const { id, answerLate } = await sendUnanswered(1);
	operator.script = () => acceptedAs("second");
	await makeAllDue(sql);
	await dispatchAll(messaging);
	const settled = vi.spyOn(messaging.ctx.settler, "add");
	answerLate(() => refusedForGood);
	await eventually(() => expect(settled).toHaveBeenCalledOnce());
	await settled.mock.results[0]?.value;
	expect(await statusOf(sql, id)).toBe("submitted");
});

test("a resent message that the operator takes is submitted", async () => {
	const { sql, operator } = messaging;
	operator.script = () => unanswered;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	operator.script = () => acceptedAs("1");
	await makeAllDue(sql);
	await dispatchAll(messaging);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "submitted",
		possibleDuplicate: true,
	});
});

test("with the policy hold an unknown message is never sent again and expires", async () => {
	const { sql } = messaging;
	const holding = await messaging.replica({
		limits: { unknownPolicy: "hold" },
	});
	holding.operator.script = () => unanswered;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(holding);
	expect((await dispatchOf(sql, id))?.dueInS).toBeGreaterThan(86_000);
	await sql`update dispatch set expires_at = now(), due_at = now()`;
	await dispatchAll(holding);
	expect(holding.operator.submits).toHaveLength(1);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "failed",
		reason: "expired",
	});
	expect(await outcomesOf(sql, id)).toEqual(["expired"]);
});

test.each([
	{ policy: "hold", sends: 1 },
	{ policy: "resend_once", sends: 2 },
] as const)(
	"with the policy $policy a message that may not go again is not sent by a process whose clock is behind",
	async ({ policy, sends }) => {
		const { sql } = messaging;
		const late = await messaging.replica({
			limits: { unknownPolicy: policy },
			clock: () => new Date(Date.now() - 10_000),
		});
		late.operator.script = () => unanswered;
		const id = await sendOne(messaging, messageTo(organization));
		for (let round = 1; round < sends; round++) {
			await dispatchAll(late);
			await makeAllDue(sql);
		}
		await dispatchAll(late);
		expect(late.operator.submits).toHaveLength(sends);
		await sql`update dispatch set expires_at = now(), due_at = now()`;
		await dispatchAll(late);
		expect(late.operator.submits).toHaveLength(sends);
		expect(await outcomesOf(sql, id)).toEqual(["expired"]);
	},
);

test("a message whose validity ends while the process stands still is not sent", async () => {
	const { operator, ctx, dispatcher, sql } = messaging;
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
	expect(await dispatchMessages({ ...ctx, sql: troubled }, dispatcher)).toBe(1);
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

test("a flood of one organization does not hold up another's messages", async () => {
	const { operator } = messaging;
	const quiet = await organizationWith(messaging, 10);
	for (let batch = 0; batch < 4; batch++)
		await sendAll(
			messaging,
			Array.from({ length: 500 }, () => messageTo(organization)),
		);
	const ids = await sendAll(
		messaging,
		Array.from({ length: 10 }, () => messageTo(quiet)),
	);
	operator.slots = 10;
	await dispatchAll(messaging);
	const order = operator.submits.map((submit) => submit.messageId);
	expect(order).toHaveLength(2_010);
	const last = Math.max(...ids.map((id) => order.indexOf(id)));
	expect(last).toBeLessThan(50);
});

test("more organizations than places take turns", async () => {
	const { operator } = messaging;
	const organizations = await Promise.all(
		Array.from({ length: 30 }, () => organizationWith(messaging, 10)),
	);
	for (const id of organizations)
		await sendAll(
			messaging,
			Array.from({ length: 3 }, () => messageTo(id)),
		);
	operator.slots = 4;
	await dispatchAll(messaging);
	expect(operator.submits).toHaveLength(90);
	const owners = await messaging.sql<{ id: string; owner: string }[]>`
		select id, organization_id as owner
		from messages
	`;
	const ownerOf = new Map(owners.map((row) => [row.id, row.owner]));
	const firstRound = operator.submits
		.slice(0, 30)
		.map((submit) => ownerOf.get(submit.messageId));
	expect(new Set(firstRound).size).toBeGreaterThan(25);
});

test("an operator that answers nonsense leaves the message unknown, not lost", async () => {
	const { sql, operator } = messaging;
	const fine = await sendOne(messaging, messageTo(organization));
	const odd = await sendOne(messaging, messageTo(organization));
	operator.script = ({ messageId }) =>
		acceptedAs(messageId === odd ? "a\0b" : "fine");
	await dispatchAll(messaging);
	expect(await statusOf(sql, fine)).toBe("submitted");
	expect(await statusOf(sql, odd)).toBe("unknown");
});
