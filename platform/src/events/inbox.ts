import type { Queryable, Tx } from "../database/database.ts";
import { deleteBatch } from "../database/delete-batch.ts";

/** How long a consumer remembers an event, ms: far longer than any bus redelivers. */
const INBOX_RETENTION_MS = 7 * 24 * 3_600_000;

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
	const isOld = sql`received_at < now() - ${retentionMs} * interval '1 millisecond'`;
	return deleteBatch(sql, "inbox", isOld, limit);
}
