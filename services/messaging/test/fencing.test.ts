import { afterEach, beforeEach, expect, test } from "vitest";
import {
	type SettledAttempt,
	settleAttempts,
} from "../src/dispatching/settle-attempts.ts";
import { decideAttempt } from "../src/domain/attempt-outcome.ts";
import { claimMessages } from "../src/jobs/claim-messages.ts";
import { dispatchMessages } from "../src/jobs/dispatch-messages.ts";
import { endLease, rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import type { PartOutcome } from "../src/operators/operator.ts";
import { findParts } from "../src/store/parts.ts";
import {
	applyAll,
	dispatchAll,
	dispatchOf,
	makeAllDue,
	messageRow,
	messageTo,
	organizationWith,
	outcomesOf,
	sendAll,
	sendOne,
	startTestMessaging,
	statusOf,
	type TestMessaging,
	type TestReplica,
} from "./support/messaging.ts";
import {
	acceptedAs,
	refusedForGood,
	refusedForNow,
	unanswered,
	unsent,
} from "./support/scripted-operator.ts";

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

/** Begins a submit whose answer, an outcome for each part, comes when the test says so. */
async function submitAndHang(
	replica: TestReplica,
	outcomes: readonly PartOutcome[] = [acceptedAs("late")],
): Promise<() => void> {
	const answer = Promise.withResolvers<void>();
	replica.operator.script = async (_, part) => {
		await answer.promise;
		return outcomes[part - 1] ?? unanswered;
	};
	await claimMessages(replica.ctx, replica.dispatcher);
	await dispatchMessages(replica.ctx, replica.dispatcher);
	return answer.resolve;
}

/** Ids that the operator has given to a message's parts. */
async function operatorIdsOf(messageId: string): Promise<string[]> {
	const parts = await findParts(messaging.sql, messageId);
	return parts.map((part) => part.operatorMessageId);
}

/** What came of this process's attempt: an outcome for each part. */
function settledAttempt(
	messageId: string,
	attempt: number,
	...outcomes: readonly PartOutcome[]
): SettledAttempt {
	const { ctx, operator } = messaging;
	const result = {
		total: outcomes.length,
		parts: outcomes.map((outcome, place) => ({ part: place + 1, ...outcome })),
	};
	const history = { takenParts: [], refusals: 0, doubtful: false };
	return {
		...history,
		messageId,
		attempt,
		result,
		token: ctx.lease.token(),
		operatorAccount: operator.account,
		outcome: decideAttempt(result, history, 0),
		unknownWaitMs: null,
	};
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

test("an answer that outlives its lease is recorded while nobody has claimed the message again", async () => {
	const { operator, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	const answer = await submitAndHang(zombie);
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	answer();
	await zombie.dispatcher.landed();
	expect(await messageRow(sql, id)).toMatchObject({
		status: "submitted",
		attempts: 1,
		possibleDuplicate: false,
	});
	expect(await operatorIdsOf(id)).toEqual(["late"]);
	await makeAllDue(sql);
	await dispatchAll(messaging);
	expect(operator.submits).toEqual([]);
	await operator.receipt("late", "delivered");
	await applyAll(messaging);
	expect(await statusOf(sql, id)).toBe("delivered");
});

test("an answer that comes after the message was claimed again changes nothing", async () => {
	const { ctx, dispatcher, operator, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	const answer = await submitAndHang(zombie);
	await letLeaseRunOut(zombie);
	await rescueDispatch(ctx);
	await makeAllDue(sql);
	expect(await claimMessages(ctx, dispatcher)).toBe(1);
	answer();
	await zombie.dispatcher.landed();
	expect(await dispatchOf(sql, id)).toMatchObject({ state: "claimed" });
	expect(await operatorIdsOf(id)).toEqual([]);
	operator.script = () => acceptedAs("second");
	await dispatchAll(messaging);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "submitted",
		attempts: 2,
		possibleDuplicate: true,
	});
	expect(await operatorIdsOf(id)).toEqual(["second"]);
});

test("a refusal for now that outlives its lease lets the message go again, as no possible duplicate", async () => {
	const { sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	const answer = await submitAndHang(zombie, [refusedForNow]);
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	answer();
	await zombie.dispatcher.landed();
	expect(await dispatchOf(sql, id)).toMatchObject({
		state: "queued",
		refusals: 1,
	});
	expect(await statusOf(sql, id)).toBe("unknown");
	await makeAllDue(sql);
	await dispatchAll(messaging);
	expect(await messageRow(sql, id)).toMatchObject({
		status: "submitted",
		attempts: 2,
		possibleDuplicate: false,
	});
});

test("a refusal for good that outlives its lease fails the message, with one event", async () => {
	const { sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	const answer = await submitAndHang(zombie, [refusedForGood]);
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	answer();
	await zombie.dispatcher.landed();
	expect(await messageRow(sql, id)).toMatchObject({
		status: "failed",
		reason: "rejected",
	});
	expect(await outcomesOf(sql, id)).toEqual(["rejected"]);
	expect(await dispatchOf(sql, id)).toBeUndefined();
});

test("of a message whose answers outlive their lease only the part without one goes again", async () => {
	const { operator, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	zombie.operator.parts = operator.parts = 2;
	const answer = await submitAndHang(zombie, [acceptedAs("late"), unanswered]);
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	answer();
	await zombie.dispatcher.landed();
	expect(await messageRow(sql, id)).toMatchObject({ status: "unknown" });
	await makeAllDue(sql);
	operator.script = () => acceptedAs("second");
	await dispatchAll(messaging);
	expect(operator.submits.map((submit) => submit.onlyParts)).toEqual([[2]]);
	expect(await statusOf(sql, id)).toBe("submitted");
	expect(await operatorIdsOf(id)).toEqual(["late", "second"]);
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

test("what waits at the operator may not be written once its lease is lost, nor under the next one", async () => {
	await sendOne(messaging, messageTo(organization));
	const isLost = Promise.withResolvers<void>();
	const mayBeWritten: boolean[] = [];
	zombie.operator.submit = async (_, mayWrite) => {
		mayBeWritten.push(mayWrite?.() ?? true);
		await isLost.promise;
		mayBeWritten.push(mayWrite?.() ?? true);
		return { total: 1, parts: [{ part: 1, ...unsent }] };
	};
	await claimMessages(zombie.ctx, zombie.dispatcher);
	await dispatchMessages(zombie.ctx, zombie.dispatcher);
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	await zombie.ctx.lease.renew();
	isLost.resolve();
	await zombie.dispatcher.landed();
	expect(mayBeWritten).toEqual([true, false]);
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

test("an attempt of an earlier claim is not recorded for being in one batch with the attempt that holds", async () => {
	const { ctx, dispatcher, operator, sql } = messaging;
	operator.script = () => refusedForNow;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	await makeAllDue(sql);
	await claimMessages(ctx, dispatcher);
	const { held } = await settleAttempts(sql, [
		settledAttempt(id, 1, acceptedAs("first")),
		settledAttempt(id, 2, acceptedAs("second")),
	]);
	expect(held).toEqual([false, true]);
	expect(await operatorIdsOf(id)).toEqual(["second"]);
});

test("a settle as unknown that comes through twice is recorded once", async () => {
	const { ctx, dispatcher, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	await claimMessages(ctx, dispatcher);
	const attempt = settledAttempt(id, 1, acceptedAs("1"), unanswered);
	for (let time = 1; time <= 2; time++) {
		expect(await settleAttempts(sql, [attempt])).toMatchObject({
			held: [true],
		});
		expect(await dispatchOf(sql, id)).toMatchObject({ state: "unknown" });
		expect(await operatorIdsOf(id)).toEqual(["1"]);
	}
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
	const { held } = await settleAttempts(sql, [settledAttempt(id, 1, unsent)]);
	expect(held).toEqual([false]);
	await dispatchAll(messaging);
	expect(operator.submits).toHaveLength(1);
});
