import { transaction } from "@airtower/platform/database/database";
import { fault } from "@airtower/platform/runtime/fault";
import type { DeliveryContext } from "../context.ts";
import { FIRST_WAIT_MS } from "../domain/attempt-outcome.ts";
import {
	findOtherRoute,
	hasOtherRoute,
	isLeft,
} from "../domain/routing/other-route.ts";
import type { RouteTable } from "../domain/routing/route-table.ts";
import { type Move, moveMessages } from "../store/dispatch/moved-dispatch.ts";
import {
	findWaiting,
	QUEUE_START,
	type QueuePlace,
	type WaitingMessage,
} from "../store/dispatch/waiting-dispatch.ts";

/** Messages of one look at a route's queue. */
const PAGE = 500;
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

/**
 * Gives messages that wait for a route which is paused, or does not send, to the ones that the rules choose now. After
 * each change of rules or health it looks through a queue at once; later it looks again, at leisure.
 * @param now a clock that never goes back, ms
 * @returns a job that returns how many it moved; while a first pass goes on at least 1
 */
export function createWaitingMover(
	now = () => performance.now(),
): (ctx: DeliveryContext) => Promise<number> {
	const passes = new Map<string, Pass>();

	async function moveFrom(
		ctx: DeliveryContext,
		table: RouteTable,
		route: string,
	): Promise<number> {
		const choices = toChoices(table);
		const pass = passes.get(route);
		const { isFirst, place, restsUntil } =
			pass?.choices === choices ? pass : NEW_PASS;
		if (now() < restsUntil) return 0;
		const page = await findWaiting(ctx.sql, {
			route,
			after: place,
			withUnknown: goesElsewhere(ctx, route),
			limit: PAGE,
		});
		const moves = page.flatMap((message) => toMove(table, message, route));
		const moved = await transaction(ctx.sql, async (sql) => {
			const moved = await moveMessages(sql, moves);
			if (moved > 0) fault("messaging.before_move_commit");
			return moved;
		});
		const last = page.length < PAGE ? undefined : page.at(-1);
		passes.set(
			route,
			last === undefined
				? {
						...NEW_PASS,
						choices,
						isFirst: false,
						restsUntil: now() + REST_MS,
					}
				: { choices, isFirst, place: last, restsUntil: 0 },
		);
		if (moved > 0)
			ctx.log.info({ route, moved }, "moved waiting messages to other routes");
		return moved > 0 || last === undefined || !isFirst ? moved : 1;
	}

	return async (ctx) => {
		const table = ctx.routes.table();
		let done = 0;
		for (const [route, standing] of table.routes) {
			if (isLeft(standing) && hasOtherRoute(table, route))
				done += await moveFrom(ctx, table, route);
			else passes.delete(route);
		}
		if (done > 0) ctx.wakeDispatch();
		return done;
	};
}

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

/** One that only a route may take which refused it in this attempt goes back there after a wait. */
function toMove(
	table: RouteTable,
	message: WaitingMessage,
	from: string,
): Move[] {
	const { messageId } = message;
	const move = { messageId, from, rulesVersion: table.version || null };
	const untried = findOtherRoute(table, message, from);
	if (untried !== undefined) return [{ ...move, to: untried, waitMs: 0 }];
	if (message.triedRoutes === null) return [];
	const tried = findOtherRoute(table, message, from, { without: new Set() });
	return tried === undefined
		? []
		: [{ ...move, to: tried, waitMs: FIRST_WAIT_MS }];
}
