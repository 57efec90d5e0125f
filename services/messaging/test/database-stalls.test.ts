import { transaction } from "@airtower/platform/database/database";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { testEventBus } from "@airtower/platform/testing/event-bus";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLease } from "../src/dispatching/lease.ts";
import { claimMessages, giveBackClaims } from "../src/jobs/claim-messages.ts";
import { dispatchMessages } from "../src/jobs/dispatch-messages.ts";
import { startJobs } from "../src/jobs/index.ts";
import { rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import { claimDispatch, releaseClaims } from "../src/store/claims.ts";
import { shareLease } from "../src/store/dispatchers.ts";
import {
	dispatchAll,
	dispatchOf,
	makeAllDue,
	messageRow,
	messageTo,
	organizationWith,
	sendOne,
	startTestMessaging,
	type TestMessaging,
} from "./support/messaging.ts";
import { acceptedAs, unsent } from "./support/scripted-operator.ts";
import {
	answerLost,
	neverRun,
	type TroubledSql,
	troubledSql,
} from "./support/troubled-sql.ts";

/** Parts of the statements that the tests disturb. */
const MARK = "with begun as";
const RENEW = "update dispatchers";
const LOAD_CLAIMED = 'sender_value as "senderValue"';

let messaging: TestMessaging;
/** The process under test: its loops meet the troubles, its lease and its settling do not. */
let ctx: TestMessaging["ctx"];
let fates: TroubledSql["fates"];
let organization: string;

beforeEach(async () => {
	messaging = await startTestMessaging();
	const troubled = troubledSql(messaging.sql);
	fates = troubled.fates;
	ctx = { ...messaging.ctx, sql: troubled.sql };
	organization = await organizationWith(messaging, 100);
});

afterEach(async () => {
	await messaging.close();
});

/** Lets a claim fail after its rows were claimed: the next one gives back all that it does not know of. */
async function failToClaim(): Promise<void> {
	fates.set(LOAD_CLAIMED, neverRun);
	await expect(claimMessages(ctx, messaging.dispatcher)).rejects.toThrow();
	fates.delete(LOAD_CLAIMED);
}

/** Dispatches all that is left without further troubles, and expects exactly one submit of each message. */
async function expectEachSentOnce(ids: readonly string[]): Promise<void> {
	const { sql, operator } = messaging;
	fates.clear();
	await dispatchAll({ ...messaging, ctx });
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
	{ end: "fails", slots: 1_000 },
	{ end: "fails", slots: 1 },
	{ end: "comes through late", slots: 1_000 },
	{ end: "comes through late", slots: 1 },
])(
	"what is claimed anew while its mark hangs and $end is sent once, $slots at a time",
	async ({ end, slots }) => {
		const { dispatcher, operator } = messaging;
		operator.slots = slots;
		const first = await sendOne(messaging, messageTo(organization));
		await claimMessages(ctx, dispatcher);
		const stall = Promise.withResolvers<void>();
		fates.set(MARK, async (run) => {
			await stall.promise;
			return end === "fails" ? neverRun(run) : run();
		});
		const marking = dispatchMessages(ctx, dispatcher).catch(() => {});
		const second = await sendOne(messaging, messageTo(organization));
		await failToClaim();
		expect(await claimMessages(ctx, dispatcher)).toBe(2);
		stall.resolve();
		await marking;
		fates.clear();

		const answer = Promise.withResolvers<void>();
		operator.script = async ({ messageId }) => {
			await answer.promise;
			return acceptedAs(messageId);
		};
		await dispatchMessages(ctx, dispatcher);
		// The rest of what is ready goes out while nothing is answered.
		operator.slots = 1_000;
		await dispatchMessages(ctx, dispatcher);
		answer.resolve();
		await dispatcher.landed();
		await expectEachSentOnce([first, second]);
	},
);

test("a give-back that comes through late frees what was claimed meanwhile, and it is sent once", async () => {
	const { dispatcher, operator, sql } = messaging;
	const ids = [
		await sendOne(messaging, messageTo(organization)),
		await sendOne(messaging, messageTo(organization)),
	];
	expect(await claimMessages(ctx, dispatcher)).toBe(2);
	await transaction(sql, (sql) =>
		releaseClaims(sql, ctx.lease.token(), operator.code),
	);
	expect(await claimMessages(ctx, dispatcher)).toBe(2);
	await expectEachSentOnce(ids);
});

test("a claim that commits after its connection was lost is given back too, and its messages are sent once", async () => {
	const { database, dispatcher, operator, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	const token = ctx.lease.token();
	const claimed = Promise.withResolvers<void>();
	const commit = Promise.withResolvers<void>();
	const lost = transaction(sql, async (sql) => {
		await shareLease(sql, token);
		await claimDispatch(sql, operator.code, [organization], 1, token);
		claimed.resolve();
		await commit.promise;
	});
	await claimed.promise;
	dispatcher.claimsInDoubt = true;
	let isOver = false;
	const next = claimMessages(ctx, dispatcher).finally(() => {
		isOver = true;
	});
	await eventually(async () => {
		const waiting = await sql`
			select
			from pg_stat_activity
			where application_name = ${database.schema}
			and wait_event_type = 'Lock'
		`;
		expect(isOver || waiting.count > 0).toBe(true);
	});
	commit.resolve();
	await Promise.all([lost, next]);
	await expectEachSentOnce([id]);
});

test("what could not be given back at first is given back later, and sent once", async () => {
	const { dispatcher } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	await claimMessages(ctx, dispatcher);
	const sql = new Proxy(ctx.sql, {
		get: (target, name) =>
			name === "begin"
				? () => Promise.reject(new Error("The connection was lost."))
				: Reflect.get(target, name),
	});
	await expect(giveBackClaims({ ...ctx, sql }, dispatcher)).rejects.toThrow();
	await expectEachSentOnce([id]);
});

test("what was marked although the answer was lost is sent once when the claims were given back", async () => {
	const { dispatcher } = messaging;
	const first = await sendOne(messaging, messageTo(organization));
	await claimMessages(ctx, dispatcher);
	fates.set(MARK, answerLost);
	await expect(dispatchMessages(ctx, dispatcher)).rejects.toThrow();
	const second = await sendOne(messaging, messageTo(organization));
	await failToClaim();
	await expectEachSentOnce([first, second]);
});

test("what was marked while another mark of its batch failed is sent once when the claims were given back", async () => {
	const { dispatcher, operator, sql } = messaging;
	operator.script = () => unsent;
	const tried = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	await makeAllDue(sql);
	operator.submits.length = 0;
	operator.script = ({ messageId }) => acceptedAs(messageId);
	const untried = await sendOne(messaging, messageTo(organization));
	expect(await claimMessages(ctx, dispatcher)).toBe(2);
	let marks = 0;
	fates.set(MARK, (run) => (++marks === 1 ? run() : neverRun(run)));
	await expect(dispatchMessages(ctx, dispatcher)).rejects.toThrow();
	expect(marks).toBe(2);
	const late = await sendOne(messaging, messageTo(organization));
	await failToClaim();
	await expectEachSentOnce([tried, untried, late]);
});

test("what was marked although the answer was lost is left to those who have taken over", async () => {
	const { dispatcher, operator, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	await claimMessages(ctx, dispatcher);
	fates.set(MARK, answerLost);
	await expect(dispatchMessages(ctx, dispatcher)).rejects.toThrow();
	await sql`update dispatchers set lease_until = now() - interval '1 second'`;
	const other = await messaging.replica();
	await rescueDispatch(other.ctx);
	await ctx.lease.renew();
	fates.clear();
	await dispatchAll({ ...messaging, ctx });
	expect(operator.submits).toEqual([]);
	expect(await dispatchOf(sql, id)).toMatchObject({ state: "unknown" });
});

test("at a graceful end what was marked although the answer was lost goes back as never sent", async () => {
	const { operator, sql } = messaging;
	const events = await testEventBus();
	const id = await sendOne(messaging, messageTo(organization));
	fates.set(MARK, answerLost);
	const jobs = startJobs(ctx, events.bus, createMetrics("messaging"));
	await eventually(async () =>
		expect(await dispatchOf(sql, id)).toMatchObject({ state: "submitting" }),
	);
	await jobs.stopDispatch();
	await jobs.close();
	await events.drop();
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
	troubled.fates.set(RENEW, async (run) => {
		if (++failures <= 3) return neverRun(run);
		const rows = await sql`
			select
			from dispatchers
			where token = ${lease.token()}
			and lease_until > now()
		`;
		held.push(rows.count === 1);
		return run();
	});
	const events = await testEventBus();
	const limits = { ...ctx.limits, leaseMs };
	const jobs = startJobs(
		{ ...ctx, lease, limits },
		events.bus,
		createMetrics("messaging"),
	);
	await eventually(() => expect(held).toContain(true));
	expect(held).not.toContain(false);
	await jobs.stopDispatch();
	await jobs.close();
	await events.drop();
});
