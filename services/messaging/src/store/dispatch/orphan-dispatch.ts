import type { Tx } from "@airtower/platform/database/database";
import type { RecordedAttempt } from "../recorded-attempts.ts";
import { queuedAttempts } from "./dispatch.ts";

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
		returning ${queuedAttempts(sql)}
	`;
}
