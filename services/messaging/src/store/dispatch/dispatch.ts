import type { Tx } from "@airtower/platform/database/database";
import type { RecordedAttempt } from "../recorded-attempts.ts";

export const queuedAttempts = (sql: Tx) => sql`
	message_id as id,
	attempt - unsent as attempts,
	resent as "possibleDuplicate"
`;

/** Whoever holds them: their end came by a receipt. */
export async function deleteDispatch(
	sql: Tx,
	messageIds: readonly string[],
): Promise<RecordedAttempt[]> {
	if (messageIds.length === 0) return [];
	return sql<RecordedAttempt[]>`
		delete from dispatch
		where message_id = any(${[...messageIds]}::uuid[])
		returning ${queuedAttempts(sql)}
	`;
}
