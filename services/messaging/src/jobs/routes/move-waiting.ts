import { transaction } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import type { DeliveryContext } from "../../context.ts";
import { FIRST_WAIT_MS } from "../../domain/attempt-outcome.ts";
import {
	findOtherRoute,
	hasOtherRoute,
	isLeft,
	isOverloaded,
} from "../../domain/routing/other-route.ts";
import type { RouteTable } from "../../domain/routing/route-table.ts";
import {
	type Move,
	moveMessages,
} from "../../store/dispatch/dispatch-settles.ts";
import {
	findRoutesBehind,
	findWaiting,
	QUEUE_START,
	type QueuePlace,
	type WaitingMessage,
} from "../../store/dispatch/waiting-dispatch.ts";
import { findRemovedInUse } from "../../store/routes/routes.ts";

/** Messages of one look at a route's queue. */
const PAGE = 500;
/** What is due for so long at a route that throttles goes by another one, ms. */
const OVERDUE_MS = 5_000;
/** From the end of one pass through a queue to the next while routes and rules are the same, ms. */
const REST_MS = 2_000;

/** How far a queue has been looked through. */
interface Pass {
	/** The rules and the routes that send, for which the pass was begun. */
	readonly choices: string;
	/** Later ones find only what came back from an attempt: they take a page at a time. */
	readonly isFirst: boolean;
	readonly place: QueuePlace;
	/** By the mover's clock. */
	readonly restsUntil: number;
}

/** A queue whose messages are not to wait for its route. */
interface LeftQueue {
	readonly route: string;
	/** Null: all of them, also those that are due later. */
	readonly overdueMs: number | null;
	/** Routes that throttle themselves: they take nothing that is overdue. */
	readonly overloaded: ReadonlySet<string>;
}

/**
 * Gives messages that wait for a route which is paused, or does not send, to the ones that the rules choose now, and
 * those that wait for long while their route throttles. After each change of rules or health it looks through a queue
 * at once; later it looks again, at leisure.
 * @param now a clock that never goes back, ms
 * @returns a job that returns how many it moved; while a first pass goes on at least 1
 */
export function createWaitingMover(
	now = () => performance.now(),
): (ctx: DeliveryContext) => Promise<number> {
	const passes = new Map<string, Pass>();

	async function moveFrom(
		ctx: DeliveryContext,
		queue: LeftQueue,
	): Promise<number> {
		const { route, overdueMs } = queue;
		const table = ctx.routes.table();
		const choices = toChoices(table);
		const pass = passes.get(route);
		const { isFirst, place, restsUntil } =
			pass?.choices === choices ? pass : NEW_PASS;
		if (now() < restsUntil) return 0;
		const without = await findRefused(ctx, queue);
		if (!hasOtherRoute(table, route, without)) return 0;
		const page = await findWaiting(ctx.sql, {
			route,
			overdueMs,
			after: place,
			withUnknown: goesElsewhere(ctx, route),
			limit: PAGE,
		});
		const moved = await move(
			ctx,
			page.flatMap((message) => toMove(ctx, message, route, without)),
		);
		const last = page.length < PAGE ? undefined : page.at(-1);
		const next =
			last === undefined
				? { ...NEW_PASS, isFirst: false, restsUntil: now() + REST_MS }
				: { isFirst, place: last, restsUntil: 0 };
		passes.set(route, { choices, ...next });
		if (moved > 0)
			ctx.log.info({ route, moved }, "moved waiting messages to other routes");
		return moved > 0 || last === undefined || !isFirst ? moved : 1;
	}

	let removed: readonly string[] = [];
	let removedUntil = Number.NEGATIVE_INFINITY;

	/** Nobody delivers on a removed route. */
	async function findRemovedQueues({ sql }: DeliveryContext) {
		if (now() >= removedUntil) {
			removed = await findRemovedInUse(sql);
			removedUntil = now() + REST_MS;
		}
		return removed.map(
			(route): LeftQueue => ({ route, overdueMs: null, overloaded: NO_ROUTES }),
		);
	}

	return async (ctx) => {
		const removed = await findRemovedQueues(ctx);
		const queues = [...findLeftQueues(ctx), ...removed];
		const left = new Set(queues.map(({ route }) => route));
		for (const route of passes.keys())
			if (!left.has(route)) passes.delete(route);
		let done = 0;
		for (const queue of queues) done += await moveFrom(ctx, queue);
		if (done > 0) ctx.wakeDispatch();
		return done;
	};
}

function findLeftQueues({ routes, dispatchers }: DeliveryContext): LeftQueue[] {
	const table = routes.table();
	const overloaded = new Set(
		dispatchers.flatMap(({ operator }) => {
			const { throttledSince } = operator.status();
			return isOverloaded(throttledSince, Date.now()) ? [operator.code] : [];
		}),
	);
	return [...table.routes.values()].flatMap((standing): LeftQueue[] => {
		const { code: route } = standing;
		if (isLeft(standing) && hasOtherRoute(table, route, NO_ROUTES))
			return [{ route, overdueMs: null, overloaded }];
		if (overloaded.has(route) && hasOtherRoute(table, route, overloaded))
			return [{ route, overdueMs: OVERDUE_MS, overloaded }];
		return [];
	});
}

/**
 * Routes that take nothing of a queue. What is overdue gains nothing where messages are overdue too: a route that is
 * slower still would be given all that the throttled one may send meanwhile.
 */
async function findRefused(
	{ sql, routes }: DeliveryContext,
	{ overdueMs, overloaded }: LeftQueue,
): Promise<ReadonlySet<string>> {
	if (overdueMs === null) return NO_ROUTES;
	const others = new Set(routes.table().routes.keys()).difference(overloaded);
	const behind = await findRoutesBehind(sql, [...others], overdueMs);
	return overloaded.union(new Set(behind));
}

async function move(
	{ sql }: DeliveryContext,
	moves: readonly Move[],
): Promise<number> {
	if (moves.length === 0) return 0;
	return transaction(sql, async (sql) => {
		const moved = await moveMessages(sql, moves);
		fault("messaging.before_move_commit");
		return moved;
	});
}

const NO_ROUTES: ReadonlySet<string> = new Set();
const NEW_PASS = { isFirst: true, place: QUEUE_START, restsUntil: 0 } as const;

function toChoices({ version, routes }: RouteTable): string {
	const sending = [...routes.values()].filter((standing) => !isLeft(standing));
	return [version, ...sending.map(({ code }) => code)].join(" ");
}

/** Whether what the route was given without a response goes on by another one. */
function goesElsewhere(
	{ dispatchers }: DeliveryContext,
	route: string,
): boolean {
	return dispatchers.some(
		({ operator }) =>
			operator.code === route && operator.unknownPolicy === "failover",
	);
}

/** One that only routes may take which refused it in this attempt goes back to one of them after a wait. */
function toMove(
	{ routes }: DeliveryContext,
	message: WaitingMessage,
	from: string,
	without: ReadonlySet<string>,
): Move[] {
	const { mayTry } = routes;
	const table = routes.table();
	const { messageId } = message;
	const move = { messageId, from, rulesVersion: table.version || null };
	const tried = message.triedRoutes ?? [];
	const untried = findOtherRoute(table, message, from, {
		without: new Set([...without, ...tried]),
		mayTry,
	});
	if (untried !== undefined) return [{ ...move, to: untried, waitMs: 0 }];
	if (tried.length === 0) return [];
	const again = findOtherRoute(table, message, from, { without, mayTry });
	return again === undefined
		? []
		: [{ ...move, to: again, waitMs: FIRST_WAIT_MS }];
}
