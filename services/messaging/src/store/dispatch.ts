import type { Tx } from "@airtower/platform/database/database";
import type { RecordedAttempt } from "./recorded-attempts.ts";

const attempts = (sql: Tx) => sql`
	message_id as id,
	attempt - unsent as attempts,
	resent as "possibleDuplicate"
`;

/** A message that may be sent once more is due after `waitMs` (null: never), any other at the end of its validity. */
export async function orphanDispatch(
	sql: Tx,
	tokens: readonly string[],
	waitMs: number | null,
): Promise<RecordedAttempt[]> {
	return sql<RecordedAttempt[]>`
		update dispatch
		set
			unknown = true,
			token = null,
			due_at = case
				when resent then expires_at
				else coalesce(now() + ${waitMs}::float8 * interval '1 millisecond', expires_at)
			end
		where token = any(${[...tokens]}::uuid[])
		returning ${attempts(sql)}
	`;
}

/** Whoever holds them: their end came by a receipt. */
export async function deleteDispatch(
	sql: Tx,
	messageIds: readonly string[],
): Promise<RecordedAttempt[]> {
	if (messageIds.length === 0) return [];
	return sql<RecordedAttempt[]>`
		delete from dispatch
		where message_id = any(${[...messageIds]}::uuid[])
		returning ${attempts(sql)}
	`;
}
