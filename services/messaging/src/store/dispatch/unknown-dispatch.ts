import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { RecordedAttempt } from "../message-updates.ts";
import { queuedAttempts } from "./dispatch-settles.ts";

/** What becomes of messages whose process is gone. */
export interface OrphanTimes {
	/** Until a message goes once more. */
	readonly waitMs: number;
	/** Until one that does not go again ends; null: its validity. */
	readonly deadlineMs: number | null;
	/** True where messages do not go again, and for those of `exceptRoutes` the contrary. */
	readonly holds: boolean;
	readonly exceptRoutes: readonly string[];
}

export async function orphanDispatch(
	sql: Tx,
	tokens: readonly string[],
	{ waitMs, deadlineMs, holds, exceptRoutes }: OrphanTimes,
): Promise<RecordedAttempt[]> {
	const isHeld = sql`${holds}::boolean <> (route = any(${[...exceptRoutes]}::text[]))`;
	const isLast = sql`(resent or ${isHeld})`;
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

export interface UnknownMessageRow {
	readonly id: string;
	readonly organizationId: string;
	readonly recipient: string;
	readonly route: string;
	readonly attempts: number;
	readonly acceptedAt: Date;
	readonly sentAt: Date;
	/** When it goes again, or ends. */
	readonly dueAt: Date;
	readonly expiresAt: Date;
}

const unknownMessages = (sql: Queryable) => sql`(
	select message_id, min(unanswered.sent_at) as sent_at
	from dispatch
	join unanswered using (message_id)
	where unknown
	group by message_id
)`;

/** Of all organizations, longest unknown first. */
export async function findUnknownMessages(
	sql: Queryable,
	limit: number,
): Promise<UnknownMessageRow[]> {
	return sql<UnknownMessageRow[]>`
		select
			messages.id,
			messages.organization_id as "organizationId",
			recipient,
			messages.route,
			attempt - unsent as attempts,
			accepted_at as "acceptedAt",
			oldest.sent_at as "sentAt",
			due_at as "dueAt",
			expires_at as "expiresAt"
		from ${unknownMessages(sql)} as oldest
		join dispatch using (message_id)
		join messages on messages.id = message_id
		order by oldest.sent_at, messages.id
		limit ${limit}
	`;
}

/** How many there are, counted up to a limit, and the age of the oldest, seconds. */
export async function measureUnknown(
	sql: Queryable,
	limit: number,
): Promise<{ count: number; ageS: number }> {
	const [row] = await sql<[{ count: number; ageS: number }]>`
		select
			count(*) as count,
			coalesce(extract(epoch from now() - min(sent_at)), 0)::float8 as "ageS"
		from (
			select *
			from ${unknownMessages(sql)} as oldest
			order by sent_at
			limit ${limit}
		) as counted
	`;
	return row;
}
