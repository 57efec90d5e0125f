import { FIRST_GROUP } from "@airtower/platform/work/claim-due";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
	type SettledAttempt,
	settleAttempts,
} from "../src/dispatching/settle-attempts.ts";
import { decideAttempt } from "../src/domain/attempt-outcome.ts";
import type { PartOutcome } from "../src/domain/submit-result.ts";
import { dispatchMessages } from "../src/jobs/dispatch-messages.ts";
import { endLease, rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import { type ClaimedMessage, claimMessages } from "../src/store/dispatch.ts";
import { findParts } from "../src/store/parts.ts";
import {
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
import { CLAIM, troubledSql } from "./support/troubled-sql.ts";

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
		update leases
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
	message: ClaimedMessage,
	...outcomes: readonly PartOutcome[]
): SettledAttempt {
	const result = {
		total: outcomes.length,
		parts: outcomes.map((outcome, place) => ({ part: place + 1, ...outcome })),
	};
	const history = { takenParts: [], refusals: 0, unclear: false };
	return {
		message,
		result,
		operatorAccount: messaging.operator.account,
		outcome: decideAttempt(result, history, 0),
		unknownWaitMs: null,
	};
}

/** Claims the only message that is due. */
async function claimOne(): Promise<ClaimedMessage> {
	const { ctx, operator, sql } = messaging;
	const [claimed] = await claimMessages(sql, {
		route: operator.code,
		token: ctx.lease.token(),
		limit: 1,
		after: FIRST_GROUP,
	});
	if (claimed === undefined) throw new Error("Nothing was due.");
	return claimed;
}

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
	await submitAndHang(zombie);
	expect(await rescueDispatch(messaging.ctx)).toBe(0);
	expect(await dispatchOf(messaging.sql, id)).toMatchObject({
		state: "submitting",
	});
});

test("a process does not rescue itself: stopped and continued alone, it goes on where it was", async () => {
	const id = await sendOne(messaging, messageTo(organization));
	const answer = await submitAndHang(zombie);
	await letLeaseRunOut(zombie);
	expect(await rescueDispatch(zombie.ctx)).toBe(0);
	answer();
	await zombie.dispatcher.idle();
	expect(await statusOf(messaging.sql, id)).toBe("submitted");
});

test("an answer that outlives its lease is recorded while nobody has claimed the message again", async () => {
	const { operator, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	const answer = await submitAndHang(zombie);
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	answer();
	await zombie.dispatcher.idle();
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
	expect(await statusOf(sql, id)).toBe("delivered");
});

test("an answer that comes after the message was claimed again changes nothing", async () => {
	const { ctx, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	const answer = await submitAndHang(zombie);
	await letLeaseRunOut(zombie);
	await rescueDispatch(ctx);
	await makeAllDue(sql);
	const second = await submitAndHang(messaging, [acceptedAs("second")]);
	answer();
	await zombie.dispatcher.idle();
	expect(await dispatchOf(sql, id)).toMatchObject({ state: "submitting" });
	expect(await operatorIdsOf(id)).toEqual([]);
	second();
	await messaging.dispatcher.idle();
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
	await zombie.dispatcher.idle();
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
	await zombie.dispatcher.idle();
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
	await zombie.dispatcher.idle();
	expect(await messageRow(sql, id)).toMatchObject({ status: "unknown" });
	await makeAllDue(sql);
	operator.script = () => acceptedAs("second");
	await dispatchAll(messaging);
	expect(operator.submits.map((submit) => submit.onlyParts)).toEqual([[2]]);
	expect(await statusOf(sql, id)).toBe("submitted");
	expect(await operatorIdsOf(id)).toEqual(["late", "second"]);
});

test("a zombie whose claim returns after its lease was lost sends nothing of it; others send it once, unmarked", async () => {
	const { sql } = messaging;
	const ids = await sendAll(
		messaging,
		Array.from({ length: 20 }, () => messageTo(organization)),
	);
	const troubled = troubledSql(sql);
	troubled.fates.set(CLAIM, async (run) => {
		const claimed = await run();
		await letLeaseRunOut(zombie);
		await rescueDispatch(messaging.ctx);
		await zombie.ctx.lease.renew();
		return claimed;
	});
	await dispatchMessages(
		{ ...zombie.ctx, sql: troubled.sql },
		zombie.dispatcher,
	);
	await zombie.dispatcher.idle();
	expect(zombie.operator.submits).toEqual([]);
	await dispatchAll(messaging);
	expect(messaging.operator.submits).toHaveLength(ids.length);
	for (const id of ids)
		expect(await messageRow(sql, id)).toMatchObject({
			attempts: 1,
			possibleDuplicate: false,
		});
});

test("a zombie works again under a new lease", async () => {
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	const id = await sendOne(messaging, messageTo(organization));
	expect(await dispatchMessages(zombie.ctx, zombie.dispatcher)).toBe(0);
	await zombie.ctx.lease.renew();
	await dispatchAll(zombie);
	expect(await statusOf(messaging.sql, id)).toBe("submitted");
});

test("a process that was stopped between the claim and the wire sends nothing", async () => {
	const stale = await messaging.replica({ limits: { leaseMs: 0 } });
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchMessages(stale.ctx, stale.dispatcher);
	await stale.dispatcher.idle();
	expect(stale.operator.submits).toEqual([]);
	expect(await messageRow(messaging.sql, id)).toMatchObject({
		status: "accepted",
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
	await dispatchMessages(zombie.ctx, zombie.dispatcher);
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	await zombie.ctx.lease.renew();
	isLost.resolve();
	await zombie.dispatcher.idle();
	expect(mayBeWritten).toEqual([true, false]);
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

test("at a graceful end what could not be settled is unknown at once", async () => {
	const id = await sendOne(messaging, messageTo(organization));
	await submitAndHang(zombie);
	await endLease(zombie.ctx);
	expect(await dispatchOf(messaging.sql, id)).toMatchObject({
		state: "unknown",
	});
	expect(await messageRow(messaging.sql, id)).toMatchObject({
		status: "unknown",
		attempts: 1,
	});
});

test("a second process that dies with the same message leaves it marked as a possible duplicate", async () => {
	const { ctx, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	for (const dying of [zombie, await messaging.replica()]) {
		await submitAndHang(dying);
		await letLeaseRunOut(dying);
		await rescueDispatch(ctx);
		await makeAllDue(sql);
	}
	expect(await messageRow(sql, id)).toMatchObject({
		status: "unknown",
		attempts: 2,
		possibleDuplicate: true,
	});
});

test("an attempt of an earlier claim is not recorded for being in one batch with the attempt that holds", async () => {
	const { operator, sql } = messaging;
	operator.script = () => refusedForNow;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	await makeAllDue(sql);
	const claimed = await claimOne();
	const { held } = await settleAttempts(sql, [
		settledAttempt({ ...claimed, attempt: 1 }, acceptedAs("first")),
		settledAttempt(claimed, acceptedAs("second")),
	]);
	expect(held).toEqual([false, true]);
	expect(await operatorIdsOf(id)).toEqual(["second"]);
});

test("a settle as unknown that comes through twice is recorded once", async () => {
	const { sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	const attempt = settledAttempt(await claimOne(), acceptedAs("1"), unanswered);
	for (let time = 1; time <= 2; time++) {
		expect(await settleAttempts(sql, [attempt])).toMatchObject({
			held: [true],
		});
		expect(await dispatchOf(sql, id)).toMatchObject({ state: "unknown" });
		expect(await messageRow(sql, id)).toMatchObject({ attempts: 1 });
		expect(await operatorIdsOf(id)).toEqual(["1"]);
	}
});

test("a settle that comes through twice leaves the next claim alone", async () => {
	const { sql } = messaging;
	await sendOne(messaging, messageTo(organization));
	const first = settledAttempt(await claimOne(), unsent);
	expect(await settleAttempts(sql, [first])).toMatchObject({ held: [true] });
	await makeAllDue(sql);
	const next = settledAttempt(await claimOne(), acceptedAs("1"));
	expect(await settleAttempts(sql, [first])).toMatchObject({ held: [false] });
	expect(await settleAttempts(sql, [next])).toMatchObject({ held: [true] });
});
