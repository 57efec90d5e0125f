import type { Queryable } from "@airtower/platform/database/database";
import type { RowKey } from "@airtower/platform/database/page";
import { LONGEST_STEP_MS } from "./balances.ts";
import type { Channel } from "./ledger-entries.ts";

/** A usage entry in the order (created_at, id). */
export interface UsagePosition extends RowKey {
	readonly organizationId: string;
	readonly messageId: string;
}

/**
 * Moves the cutoff to now: statements that begin later date no entry before it. A clock that is far ahead of the
 * service's own does not move it.
 */
export async function announceCutoff(
	sql: Queryable,
	channel: Channel,
	now: Date,
): Promise<Date> {
	const [row] = await sql<{ closingAt: Date }[]>`
		update reconciler_watermarks
		set closing_at = greatest(
			closing_at,
			least(clock_timestamp(), ${now}::timestamptz + ${LONGEST_STEP_MS} * interval '1 ms')
		)
		where channel = ${channel}
		returning closing_at as "closingAt"
	`;
	if (row === undefined) throw new Error(`No cutoff for ${channel}.`);
	return row.closingAt;
}

/**
 * The time before which the ledger is complete: the cutoff, or the start of a statement that began before it was
 * announced and still runs. Entries are not dated before their transaction; created_at is rounded, by less than a
 * millisecond.
 */
export async function findClosedBefore(
	sql: Queryable,
	cutoff: Date,
): Promise<Date> {
	const [row] = await sql<{ closedBefore: Date; tracked: boolean }[]>`
		select
			least(${cutoff}, min(xact_start) - interval '1 ms') as "closedBefore",
			coalesce(bool_or(pid = pg_backend_pid() and xact_start is not null), false) as tracked
		from pg_stat_activity
		where datname = current_database()
	`;
	if (row?.tracked !== true)
		throw new Error("PostgreSQL's track_activities is off; switch it on.");
	return row.closedBefore;
}

/** Usage entries after a position, in their order, that are dated before a time. */
export async function listUsage(
	sql: Queryable,
	channel: Channel,
	after: RowKey,
	before: Date,
	limit: number,
): Promise<UsagePosition[]> {
	return sql<UsagePosition[]>`
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
