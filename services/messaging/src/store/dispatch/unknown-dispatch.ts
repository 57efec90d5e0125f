import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { RecordedAttempt } from "../message-updates.ts";
import { queuedAttempts } from "./dispatch-settles.ts";

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

/** Those that would go again now, and whose parked receipts nobody has looked at since they are due. */
export async function findDueUnknown(
	sql: Queryable,
	routes: readonly string[],
	limit: number,
): Promise<string[]> {
	const rows = await sql<{ messageId: string }[]>`
		select message_id as "messageId"
		from dispatch
		where unknown
		and not may_repeat
		and due_at <= now()
		and token is null
		and route = any(${[...routes]}::text[])
		limit ${limit}
	`;
	return rows.map(({ messageId }) => messageId);
}

/** Lets unknown messages be claimed. */
export async function allowRepeats(
	sql: Queryable,
	messageIds: readonly string[],
): Promise<void> {
	await sql`
		update dispatch
		set may_repeat = true
		where message_id = any(array(
			select message_id
			from dispatch
			where message_id = any(${[...messageIds]}::uuid[])
			and unknown
			and due_at <= now()
			and token is null
			for update skip locked
		))
	`;
}
