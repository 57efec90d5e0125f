import type { Queryable } from "@airtower/platform/database/database";
import { deleteBatch } from "@airtower/platform/database/delete-batch";
import { unnest } from "@airtower/platform/database/unnest";

/** Units of one key's window that a gateway asks for or gives back. */
export interface WindowUnits {
	readonly ownerId: string;
	/** First second of the window since the epoch. */
	readonly windowStart: number;
	readonly units: number;
}

export interface LeaseRequest extends WindowUnits {
	/** Requests that the window allows in all. */
	readonly limit: number;
}

export interface Lease {
	/** Units granted, 0 to what was asked for. */
	readonly granted: number;
	/** Units of the window leased to all gateways, this lease included. */
	readonly leased: number;
}

/** The units of all gateways. */
export interface WindowStore {
	lease(requests: readonly LeaseRequest[]): Promise<Lease[]>;
	giveBack(unused: readonly WindowUnits[]): Promise<void>;
}

export function createWindowStore(sql: Queryable): WindowStore {
	return {
		lease: (requests) => leaseUnits(sql, requests),
		giveBack: (unused) => returnUnits(sql, unused),
	};
}

const UNITS = {
	ownerId: "uuid",
	windowStart: "bigint",
	units: "integer",
} as const;
const NAMES = { windowStart: "window_start_s", limit: "allowed" };

/** Grants units, never more than the limit over all gateways; in key order, so that two calls cannot deadlock. */
export async function leaseUnits(
	sql: Queryable,
	requests: readonly LeaseRequest[],
): Promise<Lease[]> {
	return sql<Lease[]>`
		with wanted as (
			select *
			from ${unnest(sql, requests, { ...UNITS, limit: "integer" }, { names: NAMES, ordinal: "ordinal" })}
		),
		granted as (
			insert into rate_windows as w (owner_id, window_start_s, allowed, leased, last_grant)
			select owner_id, window_start_s, allowed, least(units, allowed), least(units, allowed)
			from wanted
			order by owner_id, window_start_s
			on conflict (owner_id, window_start_s) do update
			set
				allowed = excluded.allowed,
				leased = w.leased + greatest(0, least(excluded.last_grant, excluded.allowed - w.leased)),
				last_grant = greatest(0, least(excluded.last_grant, excluded.allowed - w.leased))
			returning owner_id, window_start_s, last_grant, leased
		)
		select granted.last_grant as granted, granted.leased
		from wanted
		join granted using (owner_id, window_start_s)
		order by wanted.ordinal
	`;
}

/** Gives unused units back, for other gateways to lease. */
export async function returnUnits(
	sql: Queryable,
	unused: readonly WindowUnits[],
): Promise<void> {
	if (unused.length === 0) return;
	await sql`
		with back as (
			select w.owner_id, w.window_start_s, given.units
			from rate_windows w
			join ${unnest(sql, unused, UNITS, { names: NAMES })} using (owner_id, window_start_s)
			order by w.owner_id, w.window_start_s
			for update of w
		)
		update rate_windows w
		set leased = w.leased - back.units
		from back
		where w.owner_id = back.owner_id
		and w.window_start_s = back.window_start_s
	`;
}

/**
 * Deletes windows that began before the second `before`, and by the database's clock as long ago as `keptS`: ours may
 * be ahead of other gateways'.
 */
export async function deleteOldWindows(
	sql: Queryable,
	{ before, keptS }: { readonly before: number; readonly keptS: number },
	limit: number,
): Promise<number> {
	const isOld = sql`window_start_s < least(${before}, extract(epoch from now())::int8 - ${keptS})`;
	return deleteBatch(sql, "rate_windows", isOld, limit);
}
