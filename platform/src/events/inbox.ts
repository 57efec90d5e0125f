import type { Queryable, Tx } from "../database/database.ts";

/** How long a consumer remembers an event, ms: far longer than any bus redelivers. */
export const INBOX_RETENTION_MS = 7 * 24 * 3_600_000;

/** Returns the ids that are new to the group. Rows go in id order: two batches cannot deadlock. */
export async function insertInboxRows(
	sql: Tx,
	group: string,
	ids: readonly string[],
): Promise<Set<string>> {
	const rows = await sql<{ id: string }[]>`
		insert into inbox (consumer_group, event_id)
		select ${group}, event_id
		from unnest(${ids}::uuid[]) as event_id
		order by event_id
		on conflict do nothing
		returning event_id as id
	`;
	return new Set(rows.map(({ id }) => id));
}

export async function deleteExpiredInboxRows(
	sql: Queryable,
	limit: number,
	retentionMs = INBOX_RETENTION_MS,
): Promise<number> {
	const rows = await sql`
		delete from inbox
		where ctid = any(array(
			select ctid
			from inbox
			where received_at < now() - ${retentionMs} * interval '1 millisecond'
			limit ${limit}
		))
	`;
	return rows.count;
}
