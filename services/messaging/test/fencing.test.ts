import { afterEach, beforeEach, expect, test } from "vitest";
import { settleAttempts } from "../src/dispatching/settle-attempts.ts";
import { claimMessages } from "../src/jobs/claim-messages.ts";
import { dispatchMessages } from "../src/jobs/dispatch-messages.ts";
import { endLease, rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import {
	dispatchAll,
	dispatchOf,
	makeAllDue,
	messageRow,
	messageTo,
	organizationWith,
	sendAll,
	sendOne,
	startTestMessaging,
	statusOf,
	type TestMessaging,
	type TestReplica,
} from "./support/messaging.ts";
import { acceptedAs, unsent } from "./support/scripted-operator.ts";

let messaging: TestMessaging;
let zombie: TestReplica;
let organization: string;

beforeEach(async () => {
	messaging = await startTestMessaging();
	zombie = await messaging.replica();
	organization = await organizationWith(messaging, 100);
});

afterEach(async () => {
	await messaging.close();
});

/** As if the process had shown no sign of life for longer than its lease. */
async function letLeaseRunOut({ ctx }: TestReplica): Promise<void> {
	await messaging.sql`
		update dispatchers
		set lease_until = now() - interval '1 second'
		where token = ${ctx.lease.token()}
	`;
}

/** Begins a submit whose answer comes when the test says so. */
async function submitAndHang(replica: TestReplica): Promise<() => void> {
	const answer = Promise.withResolvers<void>();
	replica.operator.script = async () => {
		await answer.promise;
		return acceptedAs("late");
	};
	await claimMessages(replica.ctx, replica.dispatcher);
	await dispatchMessages(replica.ctx, replica.dispatcher);
	return answer.resolve;
}

test("a dead dispatcher's claims go back freely", async () => {
	const id = await sendOne(messaging, messageTo(organization));
	await claimMessages(zombie.ctx, zombie.dispatcher);
	expect(await dispatchOf(messaging.sql, id)).toMatchObject({
		state: "claimed",
	});
	await letLeaseRunOut(zombie);
	expect(await rescueDispatch(messaging.ctx)).toBe(1);
	await dispatchAll(messaging);
	expect(await messageRow(messaging.sql, id)).toMatchObject({
		status: "submitted",
		attempts: 1,
		possibleDuplicate: false,
	});
});

test("what a dead dispatcher was submitting is unknown, then sent once more and marked", async () => {
	const id = await sendOne(messaging, messageTo(organization));
	await submitAndHang(zombie);
	await letLeaseRunOut(zombie);
	expect(await rescueDispatch(messaging.ctx)).toBe(1);
	expect(await statusOf(messaging.sql, id)).toBe("unknown");
	const row = await dispatchOf(messaging.sql, id);
	expect(row?.dueInS).toBeGreaterThan(55);
	await makeAllDue(messaging.sql);
	await dispatchAll(messaging);
	expect(await messageRow(messaging.sql, id)).toMatchObject({
		status: "submitted",
		attempts: 2,
		possibleDuplicate: true,
	});
});

test("a living dispatcher's work is not taken", async () => {
	const id = await sendOne(messaging, messageTo(organization));
	await claimMessages(zombie.ctx, zombie.dispatcher);
	expect(await rescueDispatch(messaging.ctx)).toBe(0);
	expect(await dispatchOf(messaging.sql, id)).toMatchObject({
		state: "claimed",
	});
});

test("a process does not rescue itself: stopped and continued alone, it goes on where it was", async () => {
	const id = await sendOne(messaging, messageTo(organization));
	const answer = await submitAndHang(zombie);
	await letLeaseRunOut(zombie);
	expect(await rescueDispatch(zombie.ctx)).toBe(0);
	answer();
	await zombie.dispatcher.landed();
	expect(await statusOf(messaging.sql, id)).toBe("submitted");
});

test("a zombie's late answer changes nothing", async () => {
	const id = await sendOne(messaging, messageTo(organization));
	const answer = await submitAndHang(zombie);
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	answer();
	await zombie.dispatcher.landed();
	expect(await statusOf(messaging.sql, id)).toBe("unknown");
	await makeAllDue(messaging.sql);
	messaging.operator.script = () => acceptedAs("second");
	await dispatchAll(messaging);
	const parts = await messaging.sql`
		select operator_message_id as id
		from parts
		where message_id = ${id}
	`;
	expect(parts).toEqual([{ id: "second" }]);
});

test("a zombie that has claimed sends nothing of what others took over", async () => {
	const ids = await sendAll(
		messaging,
		Array.from({ length: 20 }, () => messageTo(organization)),
	);
	await claimMessages(zombie.ctx, zombie.dispatcher);
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	await dispatchMessages(zombie.ctx, zombie.dispatcher);
	await zombie.dispatcher.landed();
	expect(zombie.operator.submits).toEqual([]);
	await dispatchAll(messaging);
	expect(messaging.operator.submits).toHaveLength(ids.length);
});

test("a zombie claims nothing more under its lost lease, and works again under a new one", async () => {
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	const id = await sendOne(messaging, messageTo(organization));
	expect(await claimMessages(zombie.ctx, zombie.dispatcher)).toBe(0);
	await zombie.ctx.lease.renew();
	await dispatchAll(zombie);
	expect(await statusOf(messaging.sql, id)).toBe("submitted");
});

test("a process that was stopped between the mark and the wire sends nothing", async () => {
	const stale = await messaging.replica({ limits: { leaseMs: 0 } });
	const id = await sendOne(messaging, messageTo(organization));
	await claimMessages(stale.ctx, stale.dispatcher);
	await dispatchMessages(stale.ctx, stale.dispatcher);
	await stale.dispatcher.landed();
	expect(stale.operator.submits).toEqual([]);
	expect(await messageRow(messaging.sql, id)).toMatchObject({
		status: "submitting",
		attempts: 0,
	});
	expect(await dispatchOf(messaging.sql, id)).toMatchObject({
		state: "queued",
	});
});

test("claiming and taking over exclude each other: no claim is orphaned", async () => {
	const ids = await sendAll(
		messaging,
		Array.from({ length: 50 }, () => messageTo(organization)),
	);
	await letLeaseRunOut(zombie);
	await Promise.all([
		claimMessages(zombie.ctx, zombie.dispatcher),
		rescueDispatch(messaging.ctx),
	]);
	const orphans = await messaging.sql`
		select
		from dispatch
		where token is not null
		and not exists (
			select
			from dispatchers
			where dispatchers.token = dispatch.token
		)
	`;
	expect(orphans.count).toBe(0);
	await dispatchAll(messaging);
	const submitted = new Set(
		messaging.operator.submits.map((one) => one.messageId),
	);
	expect(submitted.size).toBe(ids.length);
});

test("two dispatchers share the work and send nothing twice", async () => {
	await sendAll(
		messaging,
		Array.from({ length: 100 }, () => messageTo(organization)),
	);
	messaging.operator.slots = 5;
	zombie.operator.slots = 5;
	await Promise.all([dispatchAll(messaging), dispatchAll(zombie)]);
	await dispatchAll(messaging);
	const sent = [...messaging.operator.submits, ...zombie.operator.submits];
	expect(sent).toHaveLength(100);
	expect(new Set(sent.map((one) => one.messageId)).size).toBe(100);
});

test("at a graceful end nothing stays claimed", async () => {
	await sendOne(messaging, messageTo(organization));
	await claimMessages(zombie.ctx, zombie.dispatcher);
	await endLease(zombie.ctx);
	const [row] = await messaging.sql`
		select state
		from dispatch
	`;
	expect(row).toEqual({ state: "queued" });
});

test("a claim whose answer was lost is found again", async () => {
	const id = await sendOne(messaging, messageTo(organization));
	await messaging.sql`
		update dispatch
		set state = 'claimed', token = ${messaging.ctx.lease.token()}
	`;
	messaging.dispatcher.claimsInDoubt = true;
	await dispatchAll(messaging);
	expect(await statusOf(messaging.sql, id)).toBe("submitted");
});

test("a mark whose answer was lost is repeated, and the message sent once", async () => {
	const { ctx, dispatcher, operator, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	await claimMessages(ctx, dispatcher);
	await sql`update dispatch set state = 'submitting'`;
	await dispatchMessages(ctx, dispatcher);
	await dispatcher.landed();
	expect(operator.submits).toHaveLength(1);
	expect(await statusOf(sql, id)).toBe("submitted");
});

test("a settle that comes through twice leaves the next claim alone, and the message is sent once", async () => {
	const { ctx, dispatcher, operator, sql } = messaging;
	operator.script = () => unsent;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	await makeAllDue(sql);
	operator.submits.length = 0;
	operator.script = () => acceptedAs("1");
	await claimMessages(ctx, dispatcher);
	const { held } = await settleAttempts(sql, [
		{
			messageId: id,
			token: ctx.lease.token(),
			attempt: 1,
			refusals: 0,
			doubtful: false,
			operatorAccount: operator.account,
			result: undefined,
			outcome: {
				kind: "postponed",
				delayMs: 0,
				refusals: 0,
				doubtful: false,
				countsAsAttempt: false,
			},
			unknownWaitMs: null,
		},
	]);
	expect(held).toEqual([false]);
	await dispatchAll(messaging);
	expect(operator.submits).toHaveLength(1);
});
