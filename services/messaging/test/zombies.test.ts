import { troubledSql } from "@airtower/platform/testing/troubled-sql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDispatcher } from "../src/dispatching/dispatcher.ts";
import { createClaims } from "../src/dispatching/shared-statements.ts";
import { endLease, rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import { letLeaseRunOut, submitAndHang } from "./support/leases.ts";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	sendAll,
	sendOne,
	startTestMessaging,
	type TestMessaging,
	type TestReplica,
} from "./support/messaging.ts";
import {
	CLAIM,
	dispatchOf,
	makeAllDue,
	messageRow,
	statusOf,
} from "./support/rows.ts";
import { unsent } from "./support/scripted-operator.ts";

let messaging: TestMessaging;
let zombie: TestReplica;
let organization: string;

beforeEach(async () => {
	messaging = await startTestMessaging();
	zombie = await messaging.replica();
	organization = await organizationWith(messaging, 100);
});

afterEach(() => messaging.close());

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
	const response = await submitAndHang(zombie);
	await letLeaseRunOut(zombie);
	expect(await rescueDispatch(zombie.ctx)).toBe(0);
	response();
	await zombie.dispatcher.idle();
	expect(await statusOf(messaging.sql, id)).toBe("submitted");
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
	const dispatcher = createDispatcher(
		{
			...zombie.ctx,
			sql: troubled.sql,
			claims: createClaims(troubled.sql),
		},
		zombie.operator,
	);
	await dispatcher.round();
	await dispatcher.idle();
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
	expect(await zombie.dispatcher.round()).toBe(0);
	await zombie.ctx.lease.renew();
	await dispatchAll(zombie);
	expect(await statusOf(messaging.sql, id)).toBe("submitted");
});

test("a process that was stopped between the claim and the wire sends nothing", async () => {
	const stale = await messaging.replica({ limits: { leaseMs: 0 } });
	const id = await sendOne(messaging, messageTo(organization));
	await stale.dispatcher.round();
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
	await zombie.dispatcher.round();
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
