import type { Tx } from "@airtower/platform/database/database";
import type { RecordedAttempt } from "./recorded-attempts.ts";

const attempts = (sql: Tx) => sql`
	message_id as id,
	attempt - unsent as attempts,
	resent as "possibleDuplicate"
`;

export interface UnknownTimes {
	/** Until a message goes once more; null: it does not. */
	readonly waitMs: number | null;
	/** Until one that does not go again ends; null: its validity. */
	readonly deadlineMs: number | null;
}

export async function orphanDispatch(
	sql: Tx,
	tokens: readonly string[],
	{ waitMs, deadlineMs }: UnknownTimes,
): Promise<RecordedAttempt[]> {
	const isLast = sql`(resent or ${waitMs}::float8 is null)`;
	const end = sql`least(expires_at, now() + ${deadlineMs}::float8 * interval '1 millisecond')`;
	return sql<RecordedAttempt[]>`
		update dispatch
		set
			unknown = true,
			token = null,
			due_at = case
				when ${isLast} then ${end}
				else now() + ${waitMs}::float8 * interval '1 millisecond'
			end,
			expires_at = case when ${isLast} then ${end} else expires_at end
		where token = any(${[...tokens]}::uuid[])
		returning ${attempts(sql)}
	`;
}

/** Those that are unknown and not on their way: nobody sends them again. */
export async function deleteUnknown(
	sql: Tx,
	messageIds: readonly string[],
): Promise<RecordedAttempt[]> {
	return sql<RecordedAttempt[]>`
		delete from dispatch
		where message_id = any(${[...messageIds]}::uuid[])
		and unknown
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
