import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import { idRange } from "../messages.ts";

export interface Move {
	readonly messageId: string;
	readonly from: string;
	readonly to: string;
	/** Of the rules that chose; null before there were any. */
	readonly rulesVersion: number | null;
	/** Least wait from now on, ms; above 0 its attempt is over, so that it may go back to what refused it. */
	readonly waitMs: number;
}

/**
 * Gives waiting messages to other routes; returns how many. One that somebody else holds or has moved stays, and so does
 * one whose new route was removed; a removal waits for this. What waited for its route alone is due at once; what waits
 * after a refusal goes on waiting.
 */
export async function moveMessages(
	sql: Tx,
	moves: readonly Move[],
): Promise<number> {
	if (moves.length === 0) return 0;
	const ids = moves.map(({ messageId }) => messageId);
	const routes = [...new Set(moves.map(({ to }) => to))];
	const isWaiting = sql`token is null and (not unknown or may_repeat)`;
	const moved = await sql<MessageRoute[]>`
		with removed as materialized (
			select code
			from (
				select code, state
				from routes
				where code = any(${routes})
				for key share
			) as locked
			where state = 'removed'
		)
		update dispatch as work
		set
			route = given.to_route,
			due_at = case
				when given.wait_ms > 0
					then greatest(due_at, now() + given.wait_ms * interval '1 millisecond')
				when refusals = 0 and not unclear then least(due_at, now())
				else due_at
			end,
			tried_routes = case when given.wait_ms > 0 then null else tried_routes end
		from ${unnest(
			sql,
			moves,
			{
				messageId: "uuid",
				from: "text",
				to: "text",
				rulesVersion: "integer",
				waitMs: "float8",
			},
			{ names: { from: "from_route", to: "to_route" } },
		)}
		where work.message_id = given.message_id
		and work.message_id = any(array(
			select message_id
			from dispatch
			where message_id = any(${ids}::uuid[])
			and ${isWaiting}
			for update skip locked
		))
		and work.route = given.from_route
		and ${isWaiting}
		and given.to_route not in (table removed)
		returning work.message_id as id, work.route, given.rules_version as "rulesVersion"
	`;
	await updateRoutes(sql, moved);
	return moved.length;
}

export interface MessageRoute {
	readonly id: string;
	readonly route: string;
	/** Null: as it is. */
	readonly rulesVersion: number | null;
}

/** Tells which routes these messages have now. */
export async function updateRoutes(
	sql: Tx,
	routes: readonly MessageRoute[],
): Promise<void> {
	if (routes.length === 0) return;
	const { first, last } = idRange(routes.map(({ id }) => id));
	await sql`
		update messages
		set
			first_route = coalesce(first_route, messages.route),
			route = given.route,
			rules_version = coalesce(given.rules_version, messages.rules_version)
		from ${unnest(sql, routes, {
			id: "uuid",
			route: "text",
			rulesVersion: "integer",
		})}
		where messages.id = given.id
		and messages.id between ${first} and ${last}
	`;
}
