import { afterEach, beforeEach, expect, test } from "vitest";
import type { SettledAttempt } from "../src/dispatching/attempt-rows.ts";
import { settleAttempts } from "../src/dispatching/settler.ts";
import { decideAttempt } from "../src/domain/attempt-outcome.ts";
import type { PartOutcome } from "../src/domain/submit-result.ts";
import { rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import {
	type ClaimedMessage,
	claimMessages,
} from "../src/store/dispatch/dispatch-claims.ts";
import { findParts } from "../src/store/parts.ts";
import { letLeaseRunOut, submitAndHang } from "./support/leases.ts";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	sendOne,
	startTestMessaging,
	type TestMessaging,
	type TestReplica,
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

afterEach(() => messaging.close());

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
		parts: outcomes.map((outcome, index) => ({ part: index + 1, ...outcome })),
	};
	const history = {
		takenParts: [],
		refusals: 0,
		unclear: false,
		sessionRefusals: 0,
	};
	return {
		message,
		result,
		operator: messaging.operator,
		outcome: decideAttempt(result, history, 0, {
			present: messaging.operator.code,
			tried: [],
			isOverloaded: () => false,
			findOther: () => undefined,
			findFirst: () => undefined,
		}),
		rulesVersion: null,
		unknownTimes: { waitMs: null, deadlineMs: null },
	};
}

/** Claims the only message that is due. */
async function claimOne(): Promise<ClaimedMessage> {
	const { ctx, operator, sql } = messaging;
	const [claimed] = await claimMessages(sql, ctx.lease.token(), [
		{
			route: operator.code,
			limit: 1,
			organizations: [{ lane: 1, organizationId: organization, share: 1 }],
		},
	]);
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

test("a response that outlives its lease is recorded while nobody has claimed the message again", async () => {
	const { operator, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	const response = await submitAndHang(zombie);
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	response();
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

test("a response that comes after the message was claimed again changes nothing", async () => {
	const { ctx, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	const response = await submitAndHang(zombie);
	await letLeaseRunOut(zombie);
	await rescueDispatch(ctx);
	await makeAllDue(sql);
	const second = await submitAndHang(messaging, [acceptedAs("second")]);
	response();
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
	const response = await submitAndHang(zombie, [refusedForNow]);
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	response();
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
	const response = await submitAndHang(zombie, [refusedForGood]);
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	response();
	await zombie.dispatcher.idle();
	expect(await messageRow(sql, id)).toMatchObject({
		status: "failed",
		reason: "rejected",
	});
	expect(await outcomesOf(sql, id)).toEqual(["rejected"]);
	expect(await dispatchOf(sql, id)).toBeUndefined();
});

test("of a message whose responses outlive their lease only the part without one goes again", async () => {
	const { operator, sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	zombie.operator.parts = operator.parts = 2;
	const response = await submitAndHang(zombie, [
		acceptedAs("late"),
		noResponse,
	]);
	await letLeaseRunOut(zombie);
	await rescueDispatch(messaging.ctx);
	response();
	await zombie.dispatcher.idle();
	expect(await messageRow(sql, id)).toMatchObject({ status: "unknown" });
	await makeAllDue(sql);
	operator.script = () => acceptedAs("second");
	await dispatchAll(messaging);
	expect(operator.submits.map((submit) => submit.onlyParts)).toEqual([[2]]);
	expect(await statusOf(sql, id)).toBe("submitted");
	expect(await operatorIdsOf(id)).toEqual(["late", "second"]);
});

test("an attempt of an earlier claim is not recorded for being in one batch with the attempt that holds", async () => {
	const { operator, sql } = messaging;
	operator.script = () => refusedForNow;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(messaging);
	await makeAllDue(sql);
	const claimed = await claimOne();
	const { owned } = await settleAttempts(sql, [
		settledAttempt({ ...claimed, attempt: 1 }, acceptedAs("first")),
		settledAttempt(claimed, acceptedAs("second")),
	]);
	expect(owned).toEqual([false, true]);
	expect(await operatorIdsOf(id)).toEqual(["second"]);
});

test("a settle as unknown that comes through twice is recorded once", async () => {
	const { sql } = messaging;
	const id = await sendOne(messaging, messageTo(organization));
	const attempt = settledAttempt(await claimOne(), acceptedAs("1"), noResponse);
	for (let time = 1; time <= 2; time++) {
		expect(await settleAttempts(sql, [attempt])).toMatchObject({
			owned: [true],
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
	expect(await settleAttempts(sql, [first])).toMatchObject({ owned: [true] });
	await makeAllDue(sql);
	const next = settledAttempt(await claimOne(), acceptedAs("1"));
	expect(await settleAttempts(sql, [first])).toMatchObject({ owned: [false] });
	expect(await settleAttempts(sql, [next])).toMatchObject({ owned: [true] });
});
