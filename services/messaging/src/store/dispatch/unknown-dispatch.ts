import type { Tx } from "@airtower/platform/database/database";
import type { RecordedAttempt } from "../recorded-attempts.ts";
import { queuedAttempts } from "./dispatch.ts";

/** Those that are unknown and not on their way: nobody sends them again. */
export async function deleteUnknown(
	sql: Tx,
	messageIds: readonly string[],
): Promise<RecordedAttempt[]> {
	return sql<RecordedAttempt[]>`
		delete from dispatch
		where message_id = any(${[...messageIds]}::uuid[])
		and unknown
		returning ${queuedAttempts(sql)}
	`;
}

/** Lets an unknown message go again now; false when it is not unknown. */
export async function resendUnknown(
	sql: Tx,
	messageId: string,
): Promise<boolean> {
	const resent = await sql`
		update dispatch
		set due_at = now()
		where message_id = ${messageId}
		and unknown
	`;
	return resent.count > 0;
}
