import { createLogger } from "@airtower/platform/runtime/log";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PartOutcome } from "../src/domain/submit-result.ts";
import { rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import { letLeaseRunOut, submitAndHang } from "./support/leases.ts";
import {
	dispatchAll,
	messageTo,
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
} from "./support/rows.ts";
import {
	acceptedAs,
	noResponse,
	refusedForGood,
	refusedForNow,
} from "./support/scripted-operator.ts";

let messaging: TestMessaging;
let organization: string;

beforeEach(async () => {
	({ messaging, organization } = await startWithOrganization());
});

afterEach(() => messaging.close());

/** Sends a message of so many parts without a response; returns its id, and what brings the late responses. */
async function sendWithoutResponse(parts: number) {
	const { operator } = messaging;
	const late = Promise.withResolvers<(part: number) => PartOutcome>();
	operator.parts = parts;
	operator.script = (_, part) => ({
		kind: "unknown",
		why: "no response in time",
		late: late.promise.then((response) => response(part)),
	});
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	expect(await statusOf(messaging.sql, id)).toBe("unknown");
	return { id, respondLate: late.resolve };
}

test("without a response a message is unknown, and goes again once after 60 seconds, marked", async () => {
	const { sql, operator } = messaging;
	operator.script = () => noResponse;
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

test("a message that becomes unknown is logged with its id and route", async () => {
	const lines: string[] = [];
	const log = createLogger({
		service: "test",
		level: "warn",
		destination: { write: (line) => lines.push(line) },
	});
	const talkative = await messaging.replica({ log });
	talkative.operator.script = () => noResponse;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(talkative);
	expect(lines.map((line) => JSON.parse(line))).toMatchObject([
		{ level: "warn", messageId: id, route: "scripted", outcome: "unknown" },
	]);
	expect(lines.join()).not.toMatch(/33612345678|Hello/);
});

test("why a part has no response, or was not written, is told in the log for who looks into it", async () => {
	const lines: string[] = [];
	const log = createLogger({
		service: "test",
		level: "debug",
		destination: { write: (line) => lines.push(line) },
	});
	const talkative = await messaging.replica({ log });
	const unsent: PartOutcome = { kind: "unsent", why: "no free slot" };
	talkative.operator.parts = 2;
	talkative.operator.script = (_, part) => (part === 1 ? unsent : noResponse);
	const messageId = await sendOne(messaging, messageTo(organization));
	await dispatchAll(talkative);
	const told = lines.map((line) => JSON.parse(line)).filter(({ why }) => why);
	expect(told).toMatchObject([
		{ level: "debug", messageId, attempt: 1, part: 1, ...unsent },
		{ level: "debug", messageId, attempt: 1, part: 2, ...noResponse },
	]);
});

test("a response that comes after all makes a second submit needless", async () => {
	const { sql, operator } = messaging;
	const { id, respondLate } = await sendWithoutResponse(2);
	respondLate((part) => acceptedAs(`late-${part}`));
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
	const { id, respondLate } = await sendWithoutResponse(1);
	respondLate(() => refusedForNow);
	await eventually(async () =>
		expect(await dispatchOf(sql, id)).toMatchObject({ state: "queued" }),
	);
	operator.script = () => acceptedAs("1");
	await makeAllDue(sql);
	await dispatchAll(messaging);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "submitted",
		attempts: 2,
		possibleDuplicate: false,
	});
});

test("a response that comes after its message has been sent again changes nothing", async () => {
	const { sql, operator } = messaging;
	const { id, respondLate } = await sendWithoutResponse(1);
	operator.script = () => acceptedAs("second");
	await makeAllDue(sql);
	await dispatchAll(messaging);
	const settled = vi.spyOn(messaging.ctx.settler, "add");
	respondLate(() => refusedForGood);
	await eventually(() => expect(settled).toHaveBeenCalledOnce());
	await settled.mock.results[0]?.value;
	expect(await statusOf(sql, id)).toBe("submitted");
});

test("a resent message that the operator takes is submitted", async () => {
	const { sql, operator } = messaging;
	operator.script = () => noResponse;
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
	holding.operator.script = () => noResponse;
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
	{ setting: "resend_once", policy: "hold", sends: 1 },
	{ setting: "hold", policy: "resend", sends: 2 },
	{ setting: "hold", policy: "setting", sends: 1 },
] as const)(
	"a route's own policy $policy decides where the setting is $setting, also for what a dead process was sending",
	async ({ setting, policy, sends }) => {
		const { sql } = messaging;
		const limits = { unknownPolicy: setting };
		const living = await messaging.replica({ limits });
		const dead = await messaging.replica({ limits });
		for (const { operator } of [living, dead]) {
			operator.script = () => noResponse;
			operator.unknownPolicy = policy;
		}
		const settled = await sendOne(messaging, messageTo(organization));
		await dispatchAll(living);
		const orphan = await sendOne(messaging, messageTo(organization));
		await submitAndHang(dead);
		await letLeaseRunOut(dead);
		expect(await rescueDispatch(living.ctx)).toBe(1);
		await sql`update dispatch set due_at = now() where due_at < now() + interval '1 hour'`;
		await dispatchAll(living);
		const { submits } = living.operator;
		const sendsOf = (id: string) =>
			submits.filter(({ messageId }) => messageId === id).length;
		expect(sendsOf(settled)).toBe(sends);
		expect(sendsOf(orphan)).toBe(sends - 1);
	},
);

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
		late.operator.script = () => noResponse;
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

test("an operator that responds with nonsense leaves the message unknown, not lost", async () => {
	const { sql, operator } = messaging;
	const fine = await sendOne(messaging, messageTo(organization));
	const odd = await sendOne(messaging, messageTo(organization));
	operator.script = ({ messageId }) =>
		acceptedAs(messageId === odd ? "a\0b" : "fine");
	await dispatchAll(messaging);
	expect(await statusOf(sql, fine)).toBe("submitted");
	expect(await statusOf(sql, odd)).toBe("unknown");
});
