import { suspendGroup } from "@airtower/platform/work/suspended-groups";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWaitingMover } from "../../src/jobs/routes/move-waiting.ts";
import { findTracedMessage } from "../../src/store/shown-messages.ts";
import { suspendedOrganizations } from "../../src/store/suspended-organizations.ts";
import {
	dispatchAll,
	messageTo,
	organizationWith,
	sendAll,
	sendOne,
} from "../support/messaging.ts";
import {
	dispatchOf,
	makeAllDue,
	messageRow,
	outcomesOf,
} from "../support/rows.ts";
import {
	acceptedAs,
	noResponse,
	refusedForGood,
	refusedForNow,
	throttled,
	unclear,
	unsent,
} from "../support/scripted-operator.ts";
import { startTwoRoutes, type TwoRoutes } from "../support/two-routes.ts";

let two: TwoRoutes;

beforeEach(async () => {
	two = await startTwoRoutes();
});

afterEach(() => two.close());

/** Sends a message by whichever route it comes to, until it waits or is done. */
async function sendAndDispatch(): Promise<string> {
	const id = await sendOne(two.messaging, messageTo(two.organization));
	await dispatchBoth();
	return id;
}

async function dispatchBoth(): Promise<void> {
	for (let round = 0; round < 3; round++) {
		await dispatchAll(two.first);
		await dispatchAll(two.second);
	}
}

const submits = () => [
	two.first.operator.submits.length,
	two.second.operator.submits.length,
];

test.each([
	["a temporary", refusedForNow],
	["an unclear", unclear],
])(
	"what one route gives %s refusal goes by the next at once, with its trace and one outcome",
	async (_name, refusal) => {
		const { messaging, first, second } = two;
		first.operator.script = () => refusal;
		second.operator.script = () => acceptedAs("taken");
		const id = await sendAndDispatch();
		expect(submits()).toEqual([1, 1]);
		const { sql } = messaging;
		expect(await findTracedMessage(sql, id)).toMatchObject({
			status: "submitted",
			route: "second",
			firstRoute: "first",
			attempts: 2,
			possibleDuplicate: false,
		});
		await second.operator.receipt("taken", "delivered");
		expect(await outcomesOf(sql, id)).toEqual(["delivered"]);
	},
);

test("after all have refused a message it waits, and then goes to the first again", async () => {
	const { messaging, first, second } = two;
	first.operator.script = () => refusedForNow;
	second.operator.script = () => refusedForNow;
	const id = await sendAndDispatch();
	expect(submits()).toEqual([1, 1]);
	const waiting = await dispatchOf(messaging.sql, id);
	expect(waiting).toMatchObject({ state: "queued", refusals: 1 });
	expect(await findTracedMessage(messaging.sql, id)).toMatchObject({
		route: "first",
	});
	await makeAllDue(messaging.sql);
	await dispatchBoth();
	expect(submits()).toEqual([2, 2]);
	expect(await dispatchOf(messaging.sql, id)).toMatchObject({ refusals: 2 });
});

test("a message that a second route refuses for no clear reason fails", async () => {
	const { first, second, messaging } = two;
	first.operator.script = () => unclear;
	second.operator.script = () => unclear;
	const id = await sendAndDispatch();
	expect(submits()).toEqual([1, 1]);
	expect(await outcomesOf(messaging.sql, id)).toEqual(["operator_error"]);
});

test("a permanent refusal is final, whatever other routes there are", async () => {
	two.first.operator.script = () => refusedForGood;
	const id = await sendAndDispatch();
	expect(submits()).toEqual([1, 0]);
	expect(await outcomesOf(two.messaging.sql, id)).toEqual(["rejected"]);
});

test.each(["down", "trial", "paused"] as const)(
	"a refused message waits for its route while the other is %s",
	async (standing) => {
		two.set({ second: standing });
		two.first.operator.script = () => refusedForNow;
		const id = await sendAndDispatch();
		expect(submits()).toEqual([1, 0]);
		expect(await dispatchOf(two.messaging.sql, id)).toMatchObject({
			refusals: 1,
		});
	},
);

test("what a route throttles waits for it, and goes by another once it has throttled for more than 10 s", async () => {
	const { messaging, first } = two;
	first.operator.script = () => throttled;
	const id = await sendAndDispatch();
	expect(submits()).toEqual([1, 0]);
	first.operator.throttledSince = new Date(Date.now() - 60_000);
	await makeAllDue(messaging.sql);
	await dispatchBoth();
	expect(submits()).toEqual([2, 1]);
	expect((await messageRow(messaging.sql, id)).status).toBe("submitted");
});

test("what has been due for long at a route that throttles is moved, and nothing that is due since a moment", async () => {
	const { messaging, first, organization } = two;
	const { sql, ctx } = messaging;
	const [overdue, due] = [
		await sendOne(messaging, messageTo(organization)),
		await sendOne(messaging, messageTo(organization)),
	];
	await sql`update dispatch set due_at = now() - interval '1 minute' where message_id = ${overdue}`;
	await sql`update dispatch set due_at = now() + interval '1 hour' where message_id = ${due}`;
	expect(await createWaitingMover()(ctx)).toBe(0);
	first.operator.throttledSince = new Date(Date.now() - 60_000);
	expect(await createWaitingMover()(ctx)).toBe(1);
	expect((await findTracedMessage(sql, overdue))?.route).toBe("second");
	expect((await findTracedMessage(sql, due))?.route).toBe("first");
});

test("what is overdue at a route that throttles stays there while messages are overdue at its only other route too", async () => {
	const { messaging, first, second, organization } = two;
	const { sql, ctx } = messaging;
	const BURST = 700;
	const batch = () =>
		Array.from({ length: BURST / 2 }, () => messageTo(organization));
	for (let half = 0; half < 2; half++) await sendAll(messaging, batch());
	await sql`update dispatch set due_at = now() - interval '1 minute'`;
	first.operator.throttledSince = new Date(Date.now() - 60_000);
	const mover = createWaitingMover();
	const moved = await mover(ctx);
	expect(moved).toBeGreaterThan(0);
	expect(moved).toBeLessThan(BURST);
	expect(await mover(ctx)).toBe(0);
	second.operator.slots = moved;
	await dispatchAll(second);
	expect(await mover(ctx)).toBe(BURST - moved);
});

test("messages of a suspended organization, which nothing sends, do not make a route one that is behind", async () => {
	const { messaging, first, organization } = two;
	const { sql, ctx } = messaging;
	two.set({ first: "paused" });
	const suspended = await organizationWith(messaging, 1);
	await sendOne(messaging, messageTo(suspended));
	await suspendGroup(sql, suspendedOrganizations, suspended);
	two.set({ first: "up" });
	const id = await sendOne(messaging, messageTo(organization));
	await sql`update dispatch set due_at = now() - interval '1 minute'`;
	first.operator.throttledSince = new Date(Date.now() - 60_000);
	expect(await createWaitingMover()(ctx)).toBe(1);
	expect((await findTracedMessage(sql, id))?.route).toBe("second");
});

test("while its only other route has refused it, a message of a dead one goes back there after a wait", async () => {
	const { messaging, first, second } = two;
	first.operator.script = () => refusedForNow;
	second.operator.script = () => unsent;
	second.operator.slots = 1;
	const id = await sendOne(messaging, messageTo(two.organization));
	await dispatchAll(first);
	await second.dispatcher.round();
	await second.dispatcher.idle();
	two.set({ second: "down" });
	expect(await createWaitingMover()(messaging.ctx)).toBe(1);
	const trace = await findTracedMessage(messaging.sql, id);
	expect(trace?.route).toBe("first");
	expect((await dispatchOf(messaging.sql, id))?.dueInS).toBeGreaterThan(0);
});

test("a message that was sent without a response before stays with its route when that refuses it", async () => {
	const { messaging, first } = two;
	first.operator.script = () => noResponse;
	const id = await sendAndDispatch();
	first.operator.script = () => refusedForNow;
	await makeAllDue(messaging.sql);
	await dispatchBoth();
	expect(submits()).toEqual([2, 0]);
	expect((await dispatchOf(messaging.sql, id))?.state).toBe("unknown");
	await makeAllDue(messaging.sql);
	await dispatchBoth();
	expect(submits()).toEqual([3, 0]);
});
