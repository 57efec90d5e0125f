import { troubledSql } from "@airtower/platform/testing/troubled-sql";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWaitingMover } from "../../src/jobs/routes/move-waiting.ts";
import {
	dispatchAll,
	messageTo,
	sendAll,
	sendOne,
} from "../support/messaging.ts";
import { dispatchOf, outcomesOf } from "../support/rows.ts";
import { acceptedAs, refusedForNow } from "../support/scripted-operator.ts";
import { startTwoRoutes, type TwoRoutes } from "../support/two-routes.ts";

let two: TwoRoutes;

beforeEach(async () => {
	two = await startTwoRoutes();
});

afterEach(() => two.close());

async function accept(count: number): Promise<string[]> {
	const { messaging, organization } = two;
	const ids: string[] = [];
	while (ids.length < count) {
		const size = Math.min(500, count - ids.length);
		const batch = Array.from({ length: size }, () => messageTo(organization));
		ids.push(...(await sendAll(messaging, batch)));
	}
	return ids;
}

async function moveAll(
	mover = createWaitingMover(),
	ctx = two.messaging.ctx,
): Promise<number> {
	let moved = 0;
	for (let done = 1; done > 0; moved += done) done = await mover(ctx);
	return moved;
}

async function routesOf(): Promise<Record<string, number>> {
	const rows = await two.messaging.sql<{ route: string; count: number }[]>`
		select dispatch.route, count(*)
		from dispatch
		join messages on messages.id = message_id and messages.route = dispatch.route
		group by dispatch.route
	`;
	return Object.fromEntries(rows.map(({ route, count }) => [route, count]));
}

const sentBy = ({ operator }: TwoRoutes["first"]) =>
	operator.submits.map(({ messageId }) => messageId);

test("what waits for a route that does not send goes by the other, each once and in the order accepted", async () => {
	const { messaging, first, second } = two;
	const WINDOW = 50;
	const ids = await accept(2_000);
	await messaging.sql`
		update dispatch
		set due_at = now() - interval '1 minute' + place * interval '1 millisecond'
		from unnest(${ids}::uuid[]) with ordinality as given (id, place)
		where message_id = id
	`;
	const bodies = await messaging.sql`select id, body from messages order by id`;
	const { balances } = messaging.ledger;
	const quota = balances.get(two.organization);
	two.set({ first: "down" });
	expect(await moveAll()).toBe(ids.length);
	expect(await routesOf()).toEqual({ second: ids.length });
	second.operator.slots = WINDOW;
	await dispatchAll(second);
	expect(first.operator.submits).toEqual([]);
	const sent = sentBy(second);
	expect(sent.toSorted()).toEqual(ids);
	for (const [place, id] of sent.entries())
		expect(Math.abs(ids.indexOf(id) - place)).toBeLessThanOrEqual(WINDOW);
	expect(balances.get(two.organization)).toBe(quota);
	expect([
		...(await messaging.sql`select id, body from messages order by id`),
	]).toEqual([...bodies]);
	const [id = ""] = ids;
	await second.operator.receipt(second.operator.idOf(id), "delivered");
	expect(await outcomesOf(messaging.sql, id)).toEqual(["delivered"]);
});

test.each([
	{ standing: "paused", moves: true },
	{ standing: "down", moves: true },
	{ standing: "trial", moves: true },
	{ standing: "draining", moves: false },
	{ standing: "up", moves: false },
] as const)(
	"messages of a route that is $standing are moved: $moves",
	async ({ standing, moves }) => {
		const ids = await accept(3);
		two.set({ first: standing });
		expect(await moveAll()).toBe(moves ? 3 : 0);
		expect(await routesOf()).toEqual({ [moves ? "second" : "first"]: 3 });
		const [message] = await two.messaging.sql`
			select first_route, rules_version
			from messages
			where id = ${ids[0] ?? ""}
		`;
		expect(message).toEqual({
			first_route: moves ? "first" : null,
			rules_version: 1,
		});
	},
);

test.each(["down", "trial", "paused", "draining"] as const)(
	"none goes to a route that is %s",
	async (standing) => {
		await accept(3);
		two.set({ first: "down", second: standing });
		expect(await moveAll()).toBe(0);
	},
);

test("a route in trial gets as many as it may try, of its own and of others", async () => {
	await accept(5);
	let left = 2;
	const mayTry = () => left-- > 0;
	two.set({ first: "trial", mayTry });
	expect(await moveAll()).toBe(3);
	expect(await routesOf()).toEqual({ first: 2, second: 3 });
	left = 1;
	two.set({ second: "down" });
	expect(await moveAll()).toBe(1);
	expect(await routesOf()).toEqual({ first: 3, second: 2 });
});

test("by rules of now each goes where it may, and what no other route may take stays", async () => {
	const { messaging, organization } = two;
	const french = await sendOne(messaging, messageTo(organization));
	const german = await sendOne(
		messaging,
		messageTo(organization, { to: "+4915112345678" }),
	);
	two.set({
		first: "down",
		rules: [
			{ prefix: "+33", route: "second" },
			{ prefix: "+49", route: "first" },
		],
	});
	expect(await moveAll()).toBe(1);
	const rows = await messaging.sql`
		select message_id as id, dispatch.route, rules_version as version
		from dispatch
		join messages on messages.id = message_id
		order by message_id
	`;
	expect([...rows]).toEqual([
		{ id: french, route: "second", version: 2 },
		{ id: german, route: "first", version: 1 },
	]);
});

test("a queue of which nothing can move is looked through once, and again only after a rest or a change", async () => {
	const { messaging } = two;
	await accept(1_200);
	two.set({
		first: "down",
		rules: [
			{ prefix: "+33", route: "first" },
			{ prefix: "+49", route: "second" },
		],
	});
	let now = 0;
	const mover = createWaitingMover(() => now);
	const looks: number[] = [];
	do looks.push(await mover(messaging.ctx));
	while (looks.at(-1));
	expect(looks).toEqual([1, 1, 0]);
	await messaging.sql`update messages set recipient = '+4915112345678'`;
	expect(await mover(messaging.ctx)).toBe(0);
	now += 60_000;
	expect(await mover(messaging.ctx)).toBe(500);
	two.set({ rules: [{ prefix: "+49", route: "second" }] });
	expect(await moveAll(mover)).toBe(700);
});

test("a message of which an operator has a part stays with its route", async () => {
	const { messaging, first } = two;
	first.operator.parts = 2;
	first.operator.script = (_, part) =>
		part === 1 ? acceptedAs("taken") : refusedForNow;
	const [id = ""] = await accept(1);
	await dispatchAll(first);
	expect(await dispatchOf(messaging.sql, id)).toMatchObject({ refusals: 1 });
	two.set({ first: "down" });
	expect(await moveAll()).toBe(0);
});

test("one of which its operator takes a part between the look at it and the move stays too", async () => {
	const { messaging, first, second } = two;
	first.operator.parts = 2;
	first.operator.script = (_, part) =>
		part === 1 ? acceptedAs("taken") : refusedForNow;
	await accept(1);
	two.set({ first: "down" });
	const { sql, fates } = troubledSql(messaging.sql);
	fates.set("with removed as materialized", async (run) => {
		await dispatchAll(first);
		return run();
	});
	expect(await createWaitingMover()({ ...messaging.ctx, sql })).toBe(0);
	expect(await routesOf()).toEqual({ first: 1 });
	await dispatchAll(second);
	expect(second.operator.submits).toEqual([]);
});

test("what waits after a refusal goes on waiting; what its route throttled is due at once", async () => {
	const { messaging } = two;
	const [refused = "", throttled = ""] = await accept(2);
	await messaging.sql`
		update dispatch
		set
			due_at = now() + interval '1 hour',
			refusals = case when message_id = ${refused} then 1 else 0 end
	`;
	two.set({ first: "down" });
	expect(await moveAll()).toBe(2);
	const { sql } = messaging;
	expect((await dispatchOf(sql, refused))?.dueInS).toBeGreaterThan(3_000);
	expect((await dispatchOf(sql, throttled))?.dueInS).toBeLessThanOrEqual(0);
});

test("two processes that move at once, while the route sends again, send each message once", async () => {
	const { messaging, first, second } = two;
	const ids = await accept(1_500);
	const other = await messaging.replica({ routes: messaging.ctx.routes });
	two.set({ first: "down" });
	first.operator.slots = 40;
	const rounds = Array.from({ length: 10 }, () => first.dispatcher.round());
	await Promise.all([
		moveAll(),
		moveAll(createWaitingMover(), other.ctx),
		...rounds,
	]);
	await first.dispatcher.idle();
	await moveAll();
	await dispatchAll(second);
	expect([...sentBy(first), ...sentBy(second)].toSorted()).toEqual(ids);
});
