import type { Tx } from "@airtower/platform/database/database";
import { isOwned, ownedRows } from "@airtower/platform/work/leased-queue";
import type { RecordedAttempt } from "../message-updates.ts";
import { dispatchQueue, type MessageFence } from "./dispatch-claims.ts";

export type ClaimNumber = Pick<MessageFence, "messageId" | "attempt">;

export function claimKey({ messageId, attempt }: ClaimNumber): string {
	return `${messageId} ${attempt}`;
}

export interface SettledClaim extends ClaimNumber {
	/** True when others had declared the message unknown, and noted its submit as one without a response. */
	readonly wasUnknown: boolean;
	readonly settledAt: Date;
	readonly route: string;
}

/** A row that others declared unknown is still settled by a response that came meanwhile, until it is claimed again. */
const unknownRows = (sql: Tx) => sql`work.unknown`;

export async function deleteDispatched(
	sql: Tx,
	fences: readonly MessageFence[],
): Promise<SettledClaim[]> {
	if (fences.length === 0) return [];
	return sql<SettledClaim[]>`
		delete from dispatch as work
		using ${ownedRows(sql, dispatchQueue, fences)}
		where ${isOwned(sql, dispatchQueue, unknownRows(sql))}
		returning work.message_id as "messageId", work.attempt, old.unknown as "wasUnknown", work.route, now() as "settledAt"
	`;
}

export interface Postponement extends MessageFence {
	readonly unknown: boolean;
	/** Null: it does not go again, and ends after `deadlineMs`, or with its validity. */
	readonly delayMs: number | null;
	/** It is due as it was. */
	readonly keepsPlace: boolean;
	readonly deadlineMs: number | null;
	readonly unsent: number;
	readonly refusals: number;
	readonly unclear: boolean;
	readonly sessionRefusals: number;
	/** Joined by spaces; null for none. */
	readonly triedRoutes: string | null;
}

/** Puts rows back to wait whose attempt is over; returns the claims whose fence still matched. */
export async function postponeDispatch(
	sql: Tx,
	rows: readonly Postponement[],
): Promise<SettledClaim[]> {
	if (rows.length === 0) return [];
	const owned = ownedRows(sql, dispatchQueue, rows, {
		unknown: "boolean",
		delayMs: "float8",
		keepsPlace: "boolean",
		deadlineMs: "float8",
		unsent: "integer",
		refusals: "integer",
		unclear: "boolean",
		sessionRefusals: "smallint",
		triedRoutes: "text",
	});
	const end = sql`least(expires_at, now() + owned.deadline_ms * interval '1 millisecond')`;
	return sql<SettledClaim[]>`
		update dispatch as work
		set
			token = null,
			due_at = case
				when owned.keeps_place then work.due_at
				else coalesce(now() + owned.delay_ms * interval '1 millisecond', ${end})
			end,
			expires_at = case when owned.delay_ms is null then ${end} else expires_at end,
			unknown = owned.unknown,
			unsent = owned.unsent,
			refusals = owned.refusals,
			unclear = owned.unclear,
			session_refusals = owned.session_refusals,
			tried_routes = string_to_array(owned.tried_routes, ' ')
		from ${owned}
		where ${isOwned(sql, dispatchQueue, unknownRows(sql))}
		returning work.message_id as "messageId", work.attempt, old.unknown as "wasUnknown", work.route, now() as "settledAt"
	`;
}

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

/** Takes a message out of the queue that waits and was never given to an operator; false where there is none such. */
export async function deleteUnsent(
	sql: Tx,
	organizationId: string,
	messageId: string,
): Promise<boolean> {
	const deleted = await sql`
		delete from dispatch
		where message_id = ${messageId}
		and organization_id = ${organizationId}
		and token is null
		and attempt = unsent
		and not unknown
	`;
	return deleted.count > 0;
}

export interface UnknownTimes {
	/** Until a message goes once more; null: it does not. */
	readonly waitMs: number | null;
	/** Until one that does not go again ends; null: its validity. */
	readonly deadlineMs: number | null;
}

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
