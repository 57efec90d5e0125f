import { randomBytes } from "node:crypto";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import {
	neverRun,
	responseLost,
	type TroubledSql,
	troubledSql,
} from "@airtower/platform/testing/troubled-sql";
import { createLease } from "@airtower/platform/work/lease";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Dispatcher } from "../src/context.ts";
import { createDispatcher } from "../src/dispatching/dispatcher.ts";
import { createClaims } from "../src/dispatching/shared-statements.ts";
import { startJobs } from "../src/jobs/index.ts";
import { rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import { createRunningRoutes } from "../src/routes/running-routes.ts";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	reasonOf,
	send,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";
import { CLAIM, dispatchOf, messageRow } from "./support/rows.ts";
import { acceptedAs } from "./support/scripted-operator.ts";

/** What puts rows back that nobody knows of. */
const PUT_BACK = "set token = null ";

let messaging: TestMessaging;
/** The process under test: its loops meet the troubles, its lease and its settling do not. */
let ctx: TestMessaging["ctx"];
let dispatcher: Dispatcher;
let fates: TroubledSql["fates"];
let organization: string;

beforeEach(async () => {
	messaging = await startTestMessaging();
	const troubled = troubledSql(messaging.sql);
	fates = troubled.fates;
	const parts = {
		...messaging.ctx,
		sql: troubled.sql,
		claims: createClaims(troubled.sql),
	};
	dispatcher = createDispatcher(parts, messaging.operator);
	ctx = { ...parts, dispatchers: [dispatcher] };
	organization = await organizationWith(messaging, 100);
});

afterEach(() => messaging.close());

/** Dispatches all that is left without further troubles, and expects exactly one submit of each message. */
async function expectEachSentOnce(ids: readonly string[]): Promise<void> {
	const { sql, operator } = messaging;
	fates.clear();
	await dispatchAll({ ...messaging, ctx, dispatcher });
	const sent = operator.submits.map((submit) => submit.messageId);
	expect(sent).toHaveLength(ids.length);
	expect(new Set(sent)).toEqual(new Set(ids));
	for (const id of ids) {
		expect(await dispatchOf(sql, id)).toBeUndefined();
		expect(await messageRow(sql, id)).toMatchObject({
			status: "submitted",
			attempts: 1,
			possibleDuplicate: false,
		});
	}
}

test.each([
	["fails", neverRun],
	["comes through without its response", responseLost],
])("what a claim that %s has taken is sent once", async (_, fate) => {
	const first = await sendOne(messaging, messageTo(organization));
	fates.set(CLAIM, fate);
	await expect(dispatcher.round()).rejects.toThrow();
	const second = await sendOne(messaging, messageTo(organization));
	await expectEachSentOnce([first, second]);
});

test("what is on its way while a claim's response is lost stays where it is", async () => {
	const { operator, sql } = messaging;
	const response = Promise.withResolvers<void>();
	operator.script = async ({ messageId }) => {
		await response.promise;
		return acceptedAs(messageId);
	};
	const first = await sendOne(messaging, messageTo(organization));
	await dispatcher.round();
	const second = await sendOne(messaging, messageTo(organization));
	fates.set(CLAIM, responseLost);
	await expect(dispatcher.round()).rejects.toThrow();
	fates.clear();
	expect(await dispatcher.round()).toBe(1);
	expect(await dispatchOf(sql, first)).toMatchObject({ state: "submitting" });
	response.resolve();
	await expectEachSentOnce([first, second]);
});

test("what could not be put back at first is put back later, and sent once", async () => {
	const id = await sendOne(messaging, messageTo(organization));
	fates.set(CLAIM, responseLost);
	await expect(dispatcher.round()).rejects.toThrow();
	fates.set(PUT_BACK, neverRun);
	await expect(dispatcher.round()).rejects.toThrow("cancelled");
	await expectEachSentOnce([id]);
});

test("what was claimed without a response is left to those who have taken over", async () => {
	const { operator, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	fates.set(CLAIM, responseLost);
	await expect(dispatcher.round()).rejects.toThrow();
	await sql`update leases set lease_until = renewed_at`;
	const other = await messaging.replica();
	await rescueDispatch(other.ctx);
	await ctx.lease.renew();
	fates.clear();
	await dispatchAll({ ...messaging, ctx, dispatcher });
	expect(operator.submits).toEqual([]);
	expect(await dispatchOf(sql, id)).toMatchObject({ state: "unknown" });
});

test("at a graceful end what was claimed without a response goes back as never sent", async () => {
	const { operator, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	fates.set(CLAIM, responseLost);
	const running = createRunningRoutes(
		{ ...ctx, dispatchers: [] },
		() => operator,
	);
	await running.follow(messaging.ctx.routes.current());
	const jobs = startJobs(ctx);
	await eventually(async () =>
		expect((await dispatchOf(sql, id))?.attempt).toBeGreaterThan(0),
	);
	await running.stopDispatch();
	await jobs.close();
	expect(operator.submits).toEqual([]);
	expect(await dispatchOf(sql, id)).toMatchObject({ state: "queued" });
	expect(await messageRow(sql, id)).toMatchObject({ attempts: 0 });
});

test("an outage that is shorter than the lease does not end it", async () => {
	const { sql } = messaging;
	const leaseMs = 6_000;
	const troubled = troubledSql(sql);
	const lease = await createLease(troubled.sql, leaseMs, silentLog);
	const held: boolean[] = [];
	let failures = 0;
	troubled.fates.set("update leases", async (run) => {
		if (++failures <= 3) return neverRun(run);
		const rows = await sql`
			select
			from leases
			where token = ${lease.token()}
			and lease_until > now()
		`;
		held.push(rows.count === 1);
		return run();
	});
	const jobs = startJobs({ ...ctx, lease, limits: { ...ctx.limits, leaseMs } });
	await eventually(() => expect(held).toContain(true));
	expect(held).not.toContain(false);
	await jobs.close();
});

test("what was stored is told as accepted, also when a neighbour's key cannot be looked up any more", async () => {
	const idempotency = { key: "taken-meanwhile", fingerprint: randomBytes(32) };
	let looks = 0;
	fates.set("from idempotency_keys", async (run) => {
		if (++looks > 1) return neverRun(run);
		const found = await run();
		await sendOne(messaging, messageTo(organization, { idempotency }));
		return found;
	});
	const results = await send({ ctx }, [
		messageTo(organization),
		messageTo(organization, { idempotency }),
	]);
	expect(results.map(reasonOf)).toEqual(["accepted", "service_unavailable"]);
});
