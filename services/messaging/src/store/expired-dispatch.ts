import type { Tx } from "@airtower/platform/database/database";

/** Returns the ids. Only those below `beforeId` are looked at: the oldest, for ids begin with their time. */
export async function deleteExpiredDispatch(
	sql: Tx,
	beforeId: string,
	limit: number,
): Promise<string[]> {
	const rows = await sql<{ messageId: string }[]>`
		delete from dispatch
		where message_id = any(array(
			select message_id
			from dispatch
			where message_id < ${beforeId}
			and expires_at <= now()
			and token is null
			order by message_id
			limit ${limit}
			for update skip locked
		))
		returning message_id as "messageId"
	`;
	return rows.map((row) => row.messageId);
}
