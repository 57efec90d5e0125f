import { firstIdAt } from "@airtower/platform/runtime/ids";
import { afterEach, beforeEach, expect, test } from "vitest";
import { expireMessages } from "../src/jobs/expire-messages.ts";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";
import {
	dispatchOf,
	messageRow,
	outcomesOf,
	statusOf,
} from "./support/rows.ts";
import { noResponse } from "./support/scripted-operator.ts";

const VALIDITY_MS = 24 * 3_600_000;

let messaging: TestMessaging;
let organization: string;
let now: number;

beforeEach(async () => {
	now = Date.now();
	messaging = await startTestMessaging({ clock: () => new Date(now) });
	organization = await organizationWith(messaging, 100);
});

afterEach(() => messaging.close());

/** Lets a day pass: for this process, and for the rows that the database has dated. */
async function letValidityPass(): Promise<void> {
	now += VALIDITY_MS + 60_000;
	await messaging.sql`update dispatch set expires_at = now() - interval '1 second'`;
}

test("a message expires although no operator takes any", async () => {
	const { ctx, operator, sql } = messaging;
	operator.bound = false;
	const id = await sendOne(messaging, messageTo(organization));
	expect(await expireMessages(ctx)).toBe(0);
	await letValidityPass();
	expect(await expireMessages(ctx)).toBe(1);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "failed",
		reason: "expired",
	});
	expect(await outcomesOf(sql, id)).toEqual(["expired"]);
	expect(await dispatchOf(sql, id)).toBeUndefined();
});

test("a message that is still valid is left alone", async () => {
	const { ctx, sql } = messaging;
	const old = await sendOne(messaging, messageTo(organization));
	await letValidityPass();
	const fresh = firstIdAt(new Date(now));
	await sql`
		insert into messages (
			id, organization_id, recipient, body, sender_id, sender_value,
			segments, concat_reference, route
		)
		select
			${fresh}, organization_id, recipient, body, sender_id, sender_value,
			segments, concat_reference, route
		from messages
	`;
	await sql`
		insert into dispatch (message_id, organization_id, route, expires_at)
		values (${fresh}, ${organization}, 'scripted', now() + interval '1 day')
	`;
	expect(await expireMessages(ctx)).toBe(1);
	expect(await statusOf(sql, old)).toBe("failed");
	expect(await statusOf(sql, fresh)).toBe("accepted");
});

test("an unknown message that may not go again ends with its validity", async () => {
	const { ctx, operator, sql } = messaging;
	operator.script = () => noResponse;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	await letValidityPass();
	expect(await expireMessages(ctx)).toBe(1);
	expect(await outcomesOf(sql, id)).toEqual(["expired"]);
});

test("with a deadline an unknown message that may not go again fails at it, whether the operator is there or not", async () => {
	const { sql } = messaging;
	const strict = await messaging.replica({
		limits: { unknownPolicy: "hold", unknownDeadlineMs: 60_000 },
	});
	strict.operator.script = () => noResponse;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(strict);
	const dueInS = (await dispatchOf(sql, id))?.dueInS;
	expect(dueInS).toBeGreaterThan(50);
	expect(dueInS).toBeLessThanOrEqual(60);
	expect(await expireMessages(strict.ctx)).toBe(0);
	await sql`update dispatch set expires_at = now()`;
	expect(await expireMessages(strict.ctx)).toBe(1);
	expect(await outcomesOf(sql, id)).toEqual(["expired"]);
	expect(strict.operator.submits).toHaveLength(1);
});

test("a deadline leaves a message that goes once more its time", async () => {
	const { sql } = messaging;
	const strict = await messaging.replica({
		limits: { unknownDeadlineMs: 1_000 },
	});
	strict.operator.script = () => noResponse;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(strict);
	expect((await dispatchOf(sql, id))?.dueInS).toBeGreaterThan(50);
	await sql`update dispatch set due_at = now()`;
	await dispatchAll(strict);
	expect(strict.operator.submits).toHaveLength(2);
	expect((await dispatchOf(sql, id))?.dueInS).toBeLessThanOrEqual(1);
});

test("a message that a dispatcher holds is left to it", async () => {
	const { ctx, dispatcher, operator, sql } = messaging;
	const response = Promise.withResolvers<typeof noResponse>();
	operator.script = () => response.promise;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatcher.round();
	await letValidityPass();
	expect(await expireMessages(ctx)).toBe(0);
	expect(await dispatchOf(sql, id)).toMatchObject({ state: "submitting" });
	response.resolve(noResponse);
	await dispatcher.idle();
});
