import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { RouteState } from "../../domain/route-state.ts";

export interface RouteRow {
	readonly code: string;
	readonly kind: string;
	readonly state: RouteState;
	readonly settings: Buffer;
	/** Counts the changes, from 1. */
	readonly version: number;
	readonly createdAt: Date;
	readonly changedAt: Date;
}

const columns = (sql: Queryable) => sql`
	code,
	kind,
	state,
	settings,
	version,
	created_at as "createdAt",
	changed_at as "changedAt"
`;

/** Of all routes, also removed ones, in the order in which they were added. */
export async function listRouteRows(sql: Queryable): Promise<RouteRow[]> {
	return sql<RouteRow[]>`
		select ${columns(sql)}
		from routes
		order by created_at, code
	`;
}

export async function findRoute(
	sql: Queryable,
	code: string,
): Promise<RouteRow | undefined> {
	const [row] = await sql<RouteRow[]>`
		select ${columns(sql)}
		from routes
		where code = ${code}
	`;
	return row;
}

/**
 * @param alone waits until no message is being stored for the route, and lets none be stored until the transaction ends
 */
export async function lockRoute(
	sql: Tx,
	code: string,
	alone: boolean,
): Promise<RouteRow | undefined> {
	const [row] = await sql<RouteRow[]>`
		select ${columns(sql)}
		from routes
		where code = ${code}
		${alone ? sql`for update` : sql`for no key update`}
	`;
	return row;
}

/** Selects those of these routes that were removed; a removal of another one waits until the transaction ends. */
export function lockRemoved(sql: Queryable, codes: readonly string[]) {
	return sql`
		select code
		from (
			select code, state
			from routes
			where code = any(${[...codes]})
			for key share
		) as locked
		where state = 'removed'
	`;
}

type NewRoute = Pick<RouteRow, "code" | "kind" | "state" | "settings">;

/** Takes the place of a removed route of the code; undefined where there is another one. */
export async function insertRoute(
	sql: Queryable,
	{ code, kind, state, settings }: NewRoute,
): Promise<RouteRow | undefined> {
	const [row] = await sql<RouteRow[]>`
		insert into routes as known (code, kind, state, settings)
		values (${code}, ${kind}, ${state}, ${settings})
		on conflict (code) do update
		set
			kind = excluded.kind,
			state = excluded.state,
			settings = excluded.settings,
			version = known.version + 1,
			created_at = now(),
			changed_at = now()
		where known.state = 'removed'
		returning ${columns(sql)}
	`;
	return row;
}

/** False where there is a route of the code, also a removed one. */
export async function insertFirstRoute(
	sql: Queryable,
	{ code, kind, state, settings }: NewRoute,
): Promise<boolean> {
	const inserted = await sql`
		insert into routes (code, kind, state, settings)
		values (${code}, ${kind}, ${state}, ${settings})
		on conflict do nothing
	`;
	return inserted.count > 0;
}

export async function updateRouteSettings(
	sql: Tx,
	code: string,
	settings: Buffer,
): Promise<void> {
	await sql`
		update routes
		set
			settings = ${settings},
			version = version + 1,
			changed_at = now()
		where code = ${code}
	`;
}

export async function updateRouteState(
	sql: Tx,
	code: string,
	state: RouteState,
): Promise<void> {
	await sql`
		update routes
		set
			state = ${state},
			version = version + 1,
			changed_at = now()
		where code = ${code}
	`;
}

/** Whether messages wait for the route or are on their way, and how many seconds ago it was changed. */
export async function readRouteUse(
	sql: Tx,
	code: string,
): Promise<{ readonly isInUse: boolean; readonly changedSecondsAgo: number }> {
	const [row] = await sql<[{ isInUse: boolean; changedSecondsAgo: number }]>`
		select
			exists (select from dispatch where route = ${code}) as "isInUse",
			extract(epoch from clock_timestamp() - changed_at)::float8 as "changedSecondsAgo"
		from routes
		where code = ${code}
	`;
	return row;
}

/** Removed routes for which messages wait all the same: they were scheduled, and had no other route when they were due. */
export async function findRemovedInUse(sql: Queryable): Promise<string[]> {
	const inUse = await byIndex(
		sql,
		(sql) => sql<{ code: string }[]>`
		select code
		from routes
		where state = 'removed'
		and exists (
			select
			from dispatch
			where route = code
		)
	`,
	);
	return inUse.map(({ code }) => code);
}

/** How many seconds ago any of these routes was changed last; infinite where there are none. */
export async function findLatestChange(
	sql: Queryable,
	codes: readonly string[],
): Promise<number> {
	const [row] = await sql<[{ seconds: number | null }]>`
		select extract(epoch from clock_timestamp() - max(changed_at))::float8 as seconds
		from routes
		where code = any(${[...codes]}::text[])
	`;
	return row.seconds ?? Number.POSITIVE_INFINITY;
}
