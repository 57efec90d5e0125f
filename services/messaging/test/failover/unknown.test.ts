import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { PartOutcome } from "../../src/domain/submit-result.ts";
import { repeatUnknown } from "../../src/jobs/repeat-unknown.ts";
import { rescueDispatch } from "../../src/jobs/rescue-dispatch.ts";
import { findTracedMessage } from "../../src/store/shown-messages.ts";
import { letLeaseRunOut, submitAndHang } from "../support/leases.ts";
import {
	dispatchAll,
	messageTo,
	retryAll,
	sendOne,
} from "../support/messaging.ts";
import {
	dispatchOf,
	makeAllDue,
	outcomesOf,
	statusOf,
} from "../support/rows.ts";
import { acceptedAs, noResponse } from "../support/scripted-operator.ts";
import { startTwoRoutes, type TwoRoutes } from "../support/two-routes.ts";

const RECIPIENT = "33612345678";

let two: TwoRoutes;

beforeEach(async () => {
	two = await startTwoRoutes();
	two.first.operator.unknownPolicy = "failover";
	two.second.operator.script = () => acceptedAs("by the second");
});

afterEach(() => two.close());

const trace = (id: string) => findTracedMessage(two.messaging.sql, id);

/** A message that the first route was given without a response. */
async function sendUnknown(outcome: PartOutcome = noResponse) {
	const { messaging, first, organization } = two;
	first.operator.script = () => outcome;
	const id = await sendOne(messaging, messageTo(organization));
	await dispatchAll(first);
	expect(await statusOf(messaging.sql, id)).toBe("unknown");
	return id;
}

test("with the policy failover a message goes once more by another route, marked, and no third time", async () => {
	const { messaging, first, second } = two;
	const id = await sendUnknown();
	expect((await dispatchOf(messaging.sql, id))?.dueInS).toBeGreaterThan(55);
	await dispatchAll(second);
	expect(second.operator.submits).toEqual([]);
	second.operator.script = () => noResponse;
	await makeAllDue(messaging.sql);
	await dispatchAll(second);
	expect(await trace(id)).toMatchObject({
		status: "unknown",
		route: "second",
		firstRoute: "first",
		possibleDuplicate: true,
	});
	expect(first.operator.submits).toHaveLength(1);
	expect(second.operator.submits).toHaveLength(1);
	expect((await dispatchOf(messaging.sql, id))?.dueInS).toBeGreaterThan(86_000);
});

test.each(["resend", "setting"] as const)(
	"with the policy %s it goes by its own once more",
	async (policy) => {
		const { messaging, first, second } = two;
		first.operator.unknownPolicy = policy;
		await sendUnknown();
		await makeAllDue(messaging.sql);
		await dispatchAll(second);
		await dispatchAll(first);
		expect(first.operator.submits).toHaveLength(2);
		expect(second.operator.submits).toHaveLength(0);
	},
);

test("where no other route sends it goes by its own once more", async () => {
	const { messaging, first, second } = two;
	await sendUnknown();
	two.set({ second: "down" });
	await makeAllDue(messaging.sql);
	await dispatchAll(first);
	expect(first.operator.submits).toHaveLength(2);
	expect(second.operator.submits).toHaveLength(0);
});

test("what a dead process had given the route goes by another too", async () => {
	const { messaging, first, second, organization } = two;
	const id = await sendOne(messaging, messageTo(organization));
	const respond = await submitAndHang(first);
	await letLeaseRunOut(first);
	const { routes } = messaging.ctx;
	const next = await messaging.replica({ routes, operator: first.operator });
	await rescueDispatch(next.ctx);
	await makeAllDue(messaging.sql);
	await repeatUnknown(next.ctx);
	expect(await trace(id)).toMatchObject({ status: "unknown", route: "second" });
	await first.ctx.lease.renew();
	await dispatchAll(second);
	expect(await trace(id)).toMatchObject({
		status: "submitted",
		route: "second",
		possibleDuplicate: true,
	});
	respond();
	await first.dispatcher.idle();
	expect(await trace(id)).toMatchObject({ route: "second" });
});

test("a response that comes after all, while the message waits for the other route, is its first route's", async () => {
	const { messaging, second } = two;
	const late = Promise.withResolvers<PartOutcome>();
	const why = "no response in time";
	const id = await sendUnknown({ kind: "unknown", why, late: late.promise });
	await makeAllDue(messaging.sql);
	await repeatUnknown(messaging.ctx);
	expect(await trace(id)).toMatchObject({ route: "second" });
	late.resolve(acceptedAs("late"));
	await eventually(async () =>
		expect(await trace(id)).toMatchObject({
			status: "submitted",
			route: "first",
		}),
	);
	await dispatchAll(second);
	expect(second.operator.submits).toEqual([]);
	await two.first.operator.receipt("late", "delivered");
	expect(await outcomesOf(messaging.sql, id)).toEqual(["delivered"]);
});

test("a receipt of the first operator resolves a message before it goes by the other, and none after that", async () => {
	const { messaging, first, second } = two;
	const ofFirst = {
		numberTails: [RECIPIENT.slice(-7)],
		addresses: [RECIPIENT],
	};
	const resolved = await sendUnknown();
	await makeAllDue(messaging.sql);
	await repeatUnknown(messaging.ctx);
	await first.operator.receipt("of the first", "delivered", ofFirst);
	await makeAllDue(messaging.sql);
	await retryAll(messaging);
	expect(await outcomesOf(messaging.sql, resolved)).toEqual(["delivered"]);
	await dispatchAll(second);
	expect(second.operator.submits).toEqual([]);

	const repeated = await sendUnknown();
	await makeAllDue(messaging.sql);
	await dispatchAll(second);
	await first.operator.receipt("of the first again", "failed", ofFirst);
	await makeAllDue(messaging.sql);
	await retryAll(messaging);
	expect(await statusOf(messaging.sql, repeated)).toBe("submitted");
	await second.operator.receipt("by the second", "delivered");
	expect(await outcomesOf(messaging.sql, repeated)).toEqual(["delivered"]);
});
