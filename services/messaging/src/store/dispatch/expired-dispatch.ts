import type { Tx } from "@airtower/platform/database/database";

/** Returns ids: the oldest, below `beforeId`, and the unknown ones, which may have a deadline of their own. */
export async function deleteExpiredDispatch(
	sql: Tx,
	beforeId: string,
	limit: number,
): Promise<string[]> {
	const rows = await sql<{ messageId: string }[]>`
		delete from dispatch
		where message_id = any(array(
			${expired(sql, sql`message_id < ${beforeId}`, limit)}
			union all
			${expired(sql, sql`unknown`, limit)}
		))
		returning message_id as "messageId"
	`;
	return rows.map((row) => row.messageId);
}

function expired(sql: Tx, where: ReturnType<Tx>, limit: number) {
	return sql`
		select message_id
		from (
			select message_id
			from dispatch
			where ${where}
			and expires_at <= now()
			and token is null
			order by message_id
			limit ${limit}
			for update skip locked
		) as ended
	`;
}
