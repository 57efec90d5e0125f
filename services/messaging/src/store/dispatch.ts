import type { Queryable, Tx } from "@airtower/platform/database/database";
import { BOOLEAN_ARRAY } from "@airtower/platform/database/database";
import { claimDue, dueGroups } from "@airtower/platform/work/claim-due";
import {
	type Fence,
	heldRows,
	isHeld,
	type LeasedQueue,
	type QueueKey,
} from "@airtower/platform/work/leased-queue";

/** Due work: a row leaves when the operator has taken or refused the message. Its claim marks it as submitting. */
export const dispatchQueue: LeasedQueue<"messageId"> = {
	table: "dispatch",
	key: { messageId: "message_id" },
	group: "organization_id",
	weight: "segments",
};

export type MessageFence = Fence<"messageId">;

export interface ClaimedMessage extends MessageFence {
	readonly organizationId: string;
	readonly unsent: number;
	readonly refusals: number;
	readonly unclear: boolean;
	readonly resent: boolean;
	/** Validity left as it was claimed, by the database's clock, ms; 0 or less when it was over. */
	readonly validityMs: number;
	readonly recipient: string;
	readonly body: string;
	readonly senderValue: string;
	readonly segments: number;
	readonly concatReference: number;
	/** Parts that the operator took in earlier attempts; null when it took none. */
	readonly takenParts: readonly number[] | null;
	readonly partCount: number | null;
}

export interface ClaimOptions {
	readonly route: string;
	readonly token: string;
	readonly limit: number;
	readonly after: string;
}

/** Claims due messages with all that their submit needs: the same share for each organization, in turn. */
export async function claimMessages(
	sql: Queryable,
	{ route, token, limit, after }: ClaimOptions,
): Promise<ClaimedMessage[]> {
	const within = sql`route = ${route}`;
	return sql<ClaimedMessage[]>`
		with recursive
		${dueGroups(sql, dispatchQueue, { within, after, limit })},
		claimed as (
			${claimDue(sql, dispatchQueue, {
				token,
				limit,
				groups: sql`due_groups`,
				where: sql`and ${within}`,
				set: sql`, resent = resent or unknown, unknown = false`,
			})}
		)
		select
			claimed.message_id as "messageId",
			claimed.organization_id as "organizationId",
			token,
			attempt,
			unsent,
			refusals,
			unclear,
			resent,
			extract(epoch from expires_at - clock_timestamp())::float8 * 1000 as "validityMs",
			recipient,
			body,
			sender_value as "senderValue",
			messages.segments,
			concat_reference as "concatReference",
			taken.numbers as "takenParts",
			taken.part_count as "partCount"
		from claimed
		join due_groups on due_groups.id = claimed.organization_id
		join messages on messages.id = claimed.message_id
		left join lateral (
			select array_agg(number order by number) as numbers, max(part_count) as part_count
			from parts
			where parts.message_id = claimed.message_id
			and claimed.attempt > 1
		) as taken on true
		order by place
	`;
}

export type ClaimNumber = Pick<MessageFence, "messageId" | "attempt">;

export function claimKey({ messageId, attempt }: ClaimNumber): string {
	return `${messageId} ${attempt}`;
}

/**
 * Who may settle beside the holder of the token: a row that others declared unknown waits for what is here, until it is
 * claimed again. An operator responds once.
 */
const unknownRows = (sql: Tx) => sql`work.unknown`;

export async function deleteDispatched(
	sql: Tx,
	fences: readonly MessageFence[],
): Promise<ClaimNumber[]> {
	if (fences.length === 0) return [];
	return sql<ClaimNumber[]>`
		delete from dispatch as work
		using ${heldRows(sql, dispatchQueue, fences)}
		where ${isHeld(sql, dispatchQueue, unknownRows(sql))}
		returning work.message_id as "messageId", work.attempt
	`;
}

export interface Postponement extends MessageFence {
	readonly unknown: boolean;
	readonly delayMs: number | null;
	readonly unsent: number;
	readonly refusals: number;
	readonly unclear: boolean;
}

/** Puts rows back to wait whose attempt is over; returns the claims for which the fence held. */
export async function postponeDispatch(
	sql: Tx,
	rows: readonly Postponement[],
): Promise<ClaimNumber[]> {
	if (rows.length === 0) return [];
	const booleans = (values: readonly boolean[]) =>
		sql`${sql.array([...values], BOOLEAN_ARRAY)}::boolean[]`;
	const held = heldRows(sql, dispatchQueue, rows, {
		unknown: booleans(rows.map((row) => row.unknown)),
		delay_ms: sql`${rows.map((row) => row.delayMs)}::float8[]`,
		unsent: sql`${rows.map((row) => row.unsent)}::integer[]`,
		refusals: sql`${rows.map((row) => row.refusals)}::integer[]`,
		unclear: booleans(rows.map((row) => row.unclear)),
	});
	return sql<ClaimNumber[]>`
		update dispatch as work
		set
			token = null,
			due_at = coalesce(
				now() + held.delay_ms * interval '1 millisecond',
				expires_at
			),
			unknown = held.unknown,
			unsent = held.unsent,
			refusals = held.refusals,
			unclear = held.unclear
		from ${held}
		where ${isHeld(sql, dispatchQueue, unknownRows(sql))}
		returning work.message_id as "messageId", work.attempt
	`;
}

export interface QueuedAttempts extends QueueKey<"messageId"> {
	readonly attempts: number;
	readonly resent: boolean;
}

/**
 * Declares what processes that are gone were submitting as unknown. A message that may be sent once more is due after
 * `waitMs` (null: never), any other at the end of its validity.
 */
export async function orphanDispatch(
	sql: Tx,
	tokens: readonly string[],
	waitMs: number | null,
): Promise<QueuedAttempts[]> {
	return sql<QueuedAttempts[]>`
		update dispatch
		set
			unknown = true,
			token = null,
			due_at = case
				when resent then expires_at
				else coalesce(
					now() + ${waitMs}::float8 * interval '1 millisecond',
					expires_at
				)
			end
		where token = any(${[...tokens]}::uuid[])
		returning message_id as "messageId", attempt - unsent as attempts, resent
	`;
}

/** Takes messages out of dispatch whose end came by a receipt, whoever holds them. */
export async function deleteDispatch(
	sql: Tx,
	messageIds: readonly string[],
): Promise<QueuedAttempts[]> {
	if (messageIds.length === 0) return [];
	return sql<QueuedAttempts[]>`
		delete from dispatch
		where message_id = any(${[...messageIds]}::uuid[])
		returning message_id as "messageId", attempt - unsent as attempts, resent
	`;
}

/**
 * Takes waiting rows out whose validity is over; returns their ids. Only ids below `beforeId` are looked at: the
 * oldest, for ids begin with their time.
 */
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
