import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { Channel } from "./ledger-entries.ts";

/** Place of a usage entry in the order (created_at, id). */
export interface LedgerPlace {
	readonly createdAt: Date;
	readonly id: string;
}

export interface UsagePlace extends LedgerPlace {
	readonly organizationId: string;
	readonly messageId: string;
}

export async function findWatermark(
	sql: Queryable,
	channel: Channel,
): Promise<LedgerPlace> {
	const [row] = await sql<LedgerPlace[]>`
		select created_at as "createdAt", entry_id as id
		from reconciler_watermarks
		where channel = ${channel}
	`;
	if (row === undefined) throw new Error(`No watermark for ${channel}.`);
	return row;
}

/**
 * The time before which the ledger is complete: the start of the oldest transaction, or earlier. An entry is dated when
 * its statement begins and seen by others at its commit. One millisecond off, because created_at is rounded.
 */
export async function findClosedBefore(
	sql: Queryable,
	closedAfterMs: number,
): Promise<Date> {
	const [row] = await sql<{ closedBefore: Date; tracked: boolean }[]>`
		select
			least(
				clock_timestamp() - ${closedAfterMs} * interval '1 ms',
				min(xact_start)
			) - interval '1 ms' as "closedBefore",
			coalesce(bool_or(pid = pg_backend_pid() and xact_start is not null), false) as tracked
		from pg_stat_activity
		where datname = current_database()
	`;
	if (row?.tracked !== true)
		throw new Error("PostgreSQL's track_activities is off; switch it on.");
	return row.closedBefore;
}

export async function listUsage(
	sql: Queryable,
	channel: Channel,
	after: LedgerPlace,
	before: Date,
	limit: number,
): Promise<UsagePlace[]> {
	return sql<UsagePlace[]>`
		select
			created_at as "createdAt",
			id,
			organization_id as "organizationId",
			message_id as "messageId"
		from ledger_entries
		where kind = 'usage'
		and channel = ${channel}
		and (created_at, id) > (${after.createdAt}, ${after.id})
		and created_at < ${before}
		order by created_at, id
		limit ${limit}
	`;
}

/** Moves the watermark; returns false when another process has moved it meanwhile. */
export async function moveWatermark(
	sql: Tx,
	channel: Channel,
	from: LedgerPlace,
	to: LedgerPlace,
): Promise<boolean> {
	const moved = await sql`
		update reconciler_watermarks
		set
			created_at = ${to.createdAt},
			entry_id = ${to.id}
		where channel = ${channel}
		and created_at = ${from.createdAt}
		and entry_id = ${from.id}
	`;
	return moved.count === 1;
}
