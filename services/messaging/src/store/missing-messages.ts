import {
	type Queryable,
	TRANSACTION_TIMEOUT_MS,
} from "@airtower/platform/database/database";
import { idRange } from "./messages.ts";

/**
 * True while a transaction that has written messages runs for longer than it may, or began before the clock was set
 * back: a commit that waits for the disk or a standby, and nobody sees yet what it stores. Throws when the server does
 * not track transactions.
 */
export async function isCommitOverdue(sql: Queryable): Promise<boolean> {
	const [row] = await sql<[{ overdue: boolean; tracked: boolean }]>`
		select
			exists (
				select
				from pg_stat_activity
				where datname = current_database()
				and xact_start not between
					clock_timestamp() - ${TRANSACTION_TIMEOUT_MS} * interval '1 millisecond'
					and clock_timestamp()
				and pid in (
					select pid
					from pg_locks
					where relation = 'messages'::regclass
					and mode = 'RowExclusiveLock'
				)
			) as overdue,
			current_setting('track_activities')::boolean as tracked
	`;
	if (!row.tracked)
		throw new Error("PostgreSQL's track_activities is off; switch it on.");
	return row.overdue;
}

/** The ids, of all organizations, that are not stored. */
export async function findMissingMessageIds(
	sql: Queryable,
	ids: readonly string[],
): Promise<string[]> {
	if (ids.length === 0) return [];
	const { first, last } = idRange(ids);
	const rows = await sql<{ id: string }[]>`
		select wanted.id
		from unnest(${[...ids]}::uuid[]) as wanted (id)
		left join lateral (
			select true as exists
			from messages
			where messages.id = wanted.id
			and messages.id between ${first} and ${last}
			limit 1
		) as stored on true
		where stored.exists is null
	`;
	return rows.map((row) => row.id);
}

interface StoredMessageRow {
	readonly messageId: string;
	readonly organizationId: string;
}

/** Messages of all organizations between two ids, in their order, without those that were canceled. */
export async function listStoredMessages(
	sql: Queryable,
	after: string,
	before: string,
	limit: number,
): Promise<StoredMessageRow[]> {
	return sql<StoredMessageRow[]>`
		select id as "messageId", organization_id as "organizationId"
		from messages
		where id > ${after}
		and id < ${before}
		and status <> 'canceled'
		order by id
		limit ${limit}
	`;
}
