import type { Queryable } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import {
	type Illness,
	ROUTE_HEALTHS,
	type RouteHealth,
} from "../../domain/route-health.ts";
import type { RouteSlots } from "./bind-slots.ts";

export interface RouteConnectionsSum {
	readonly route: string;
	readonly connections: number;
	readonly connectionsWanted: number;
	readonly pausedUntil: Date | null;
	readonly lastError: string | null;
	readonly nextTryAt: Date | null;
}

export interface RouteConnectionsRow extends RouteConnectionsSum {
	/** Null without an opinion. */
	readonly health: RouteHealth | null;
	readonly healthReason: Illness | null;
}

/** Stores nothing that is known already, and nothing once the lease is lost. */
export async function upsertRouteConnections(
	sql: Queryable,
	token: string,
	rows: readonly RouteConnectionsRow[],
): Promise<void> {
	await sql`
		insert into route_connections as known (
			token,
			route,
			connections,
			connections_wanted,
			paused_until,
			last_error,
			next_try_at,
			health,
			health_reason
		)
		select leases.token, given.*
		from ${unnest(sql, rows, {
			route: "text",
			connections: "integer",
			connectionsWanted: "integer",
			pausedUntil: "timestamptz",
			lastError: "text",
			nextTryAt: "timestamptz",
			health: "text",
			healthReason: "text",
		})}
		cross join leases
		where leases.token = ${token}
		order by given.route
		on conflict (token, route) do update
		set
			connections = excluded.connections,
			connections_wanted = excluded.connections_wanted,
			paused_until = excluded.paused_until,
			last_error = excluded.last_error,
			next_try_at = excluded.next_try_at,
			health = excluded.health,
			health_reason = excluded.health_reason
		where (known.*) is distinct from (excluded.*)
	`;
}

/** Asks the processes that deliver on a route to try its connections now; returns how many there are. */
export async function requestReconnect(
	sql: Queryable,
	route: string,
): Promise<number> {
	const asked = await sql`
		update route_connections
		set reconnect = true
		from leases
		where leases.token = route_connections.token
		and lease_until >= now()
		and route = ${route}
	`;
	return asked.count;
}

/** Takes the requests to the process with this lease; returns the routes. */
export async function takeReconnects(
	sql: Queryable,
	token: string,
): Promise<string[]> {
	const rows = await sql<{ route: string }[]>`
		update route_connections
		set reconnect = false
		where token = ${token}
		and reconnect
		returning route
	`;
	return rows.map(({ route }) => route);
}

/** The process no longer delivers on the route, and has closed its connections. */
export async function leaveRoute(
	sql: Queryable,
	{ route, token }: RouteSlots,
): Promise<void> {
	await sql`
		with freed as (
			update bind_slots
			set token = null
			where route = ${route}
			and token = ${token}
		)
		delete from route_connections
		where route = ${route}
		and token = ${token}
	`;
}

/** Over the processes whose lease runs; a route to which nobody delivers is left out. */
export async function sumRouteConnections(
	sql: Queryable,
): Promise<RouteConnectionsSum[]> {
	return sql<RouteConnectionsSum[]>`
		select
			route,
			sum(connections)::integer as connections,
			sum(connections_wanted)::integer as "connectionsWanted",
			max(paused_until) filter (where paused_until > now()) as "pausedUntil",
			max(last_error) as "lastError",
			min(next_try_at) filter (where next_try_at > now()) as "nextTryAt"
		from route_connections
		join leases using (token)
		where lease_until >= now()
		group by route
	`;
}

export interface RouteHealthRow {
	readonly route: string;
	readonly health: RouteHealth;
	readonly healthReason: Illness | null;
}

/** The best that a process whose lease runs has found; a route of which none has an opinion is left out. */
export async function listRouteHealth(
	sql: Queryable,
): Promise<RouteHealthRow[]> {
	return sql<RouteHealthRow[]>`
		select distinct on (route)
			route,
			health,
			health_reason as "healthReason"
		from route_connections
		join leases using (token)
		where lease_until >= now()
		and health is not null
		order by route, array_position(${[...ROUTE_HEALTHS]}::text[], health)
	`;
}
