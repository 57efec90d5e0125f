import type { Db } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";

export interface RouteSlots {
	readonly route: string;
	readonly token: string;
}

export async function insertBindSlots(
	sql: Db,
	route: string,
	binds: number,
): Promise<void> {
	await sql`
		insert into bind_slots (route, slot)
		select ${route}, slot
		from generate_series(0, ${binds - 1}::integer) as slot
		on conflict do nothing
	`;
}

export interface HeldSlots {
	readonly route: string;
	/** Numbers of the slots under the token, in order. */
	readonly owned: readonly number[];
	/** Tokens of the processes that deliver on the route and whose lease runs, the oldest first. */
	readonly living: readonly string[];
}

/** Of each of these routes. */
export async function readBindSlots(
	sql: Db,
	token: string,
	routes: readonly string[],
): Promise<HeldSlots[]> {
	return sql<HeldSlots[]>`
		select
			given.route,
			array(
				select slot
				from bind_slots
				where bind_slots.route = given.route
				and token = ${token}
				order by slot
			) as owned,
			array(
				select token
				from route_connections
				join leases using (token)
				where route_connections.route = given.route
				and lease_until >= now()
				order by token
			) as living
		from ${unnest(
			sql,
			routes.map((route) => ({ route })),
			{ route: "text" },
		)}
	`;
}

/** Takes up to `limit` free slots of those below `binds`, none once the lease is lost; returns their numbers. */
export async function claimBindSlots(
	sql: Db,
	{ route, token }: RouteSlots,
	binds: number,
	limit: number,
): Promise<number[]> {
	const rows = await sql<{ slot: number }[]>`
		update bind_slots
		set token = ${token}
		where ctid = any(array(
			select ctid
			from bind_slots
			where route = ${route}
			and slot < ${binds}
			and token is null
			order by slot
			limit ${limit}
			for update skip locked
		))
		and exists (
			select
			from leases
			where token = ${token}
			for key share
		)
		returning slot
	`;
	return rows.map(({ slot }) => slot);
}

export async function releaseBindSlots(
	sql: Db,
	{ route, token }: RouteSlots,
	slots: readonly number[],
): Promise<void> {
	await sql`
		update bind_slots
		set token = null
		where route = ${route}
		and token = ${token}
		and slot = any(${[...slots]}::smallint[])
	`;
}
