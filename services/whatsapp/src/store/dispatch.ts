import type { Queryable, Tx } from "@airtower/platform/database/database";
import {
	heldRows,
	isHeld,
	type LeasedQueue,
	type Fence as QueueFence,
} from "@airtower/platform/work/leased-queue";
import { unnest } from "./unnest.ts";

/** The messages that are still to be sent; each number's in turn. */
export const dispatchQueue: LeasedQueue<"messageId"> = {
	table: "dispatch",
	key: { messageId: "message_id" },
	group: "phone_number_id",
};

/** Names one claim of one message: what a settle must still find in place. */
export type Fence = QueueFence<"messageId">;

export type ClaimNumber = Pick<Fence, "messageId" | "attempt">;

/** Names a claim in a set. */
export function claimKey({ messageId, attempt }: ClaimNumber): string {
	return `${messageId} ${attempt}`;
}

/** What is kept of a message until its submit. */
export type DispatchContent =
	| { readonly body: string }
	| { readonly parameters: readonly string[] };

export interface NewDispatch {
	readonly messageId: string;
	readonly phoneNumberId: string;
	readonly recipient: string;
	readonly templateId: string | null;
	readonly content: DispatchContent;
}

export type Postponement = Fence & {
	/** From now. */
	readonly delayMs: number;
	readonly refusals: number;
};

export async function insertDispatch(
	sql: Tx,
	rows: readonly NewDispatch[],
	validityMs: number,
): Promise<void> {
	await sql`
		insert into dispatch (
			message_id, phone_number_id, recipient, template_id, content, expires_at
		)
		select given.*, now() + ${validityMs} * interval '1 millisecond'
		from ${unnest(sql, rows, {
			messageId: "uuid",
			phoneNumberId: "uuid",
			recipient: "text",
			templateId: "uuid",
			content: "jsonb",
		})}
	`;
}

/** Marks claimed rows as submitting; returns the claims that hold. */
export async function markSubmitting(
	sql: Queryable,
	fences: readonly Fence[],
): Promise<Set<string>> {
	return toKeys(
		await sql<ClaimNumber[]>`
			update dispatch as work
			set submitting = true
			from ${heldRows(sql, dispatchQueue, fences)}
			where ${isHeld(sql, dispatchQueue)}
			returning work.message_id as "messageId", work.attempt
		`,
	);
}

/** Ends the dispatch of messages; returns the claims that held. */
export async function deleteDispatched(
	sql: Tx,
	fences: readonly Fence[],
): Promise<Set<string>> {
	if (fences.length === 0) return new Set();
	return toKeys(
		await sql<ClaimNumber[]>`
			delete from dispatch as work
			using ${heldRows(sql, dispatchQueue, fences)}
			where ${isHeld(sql, dispatchQueue)}
			returning work.message_id as "messageId", work.attempt
		`,
	);
}

/** Puts rows back to wait; returns the claims that held. */
export async function postponeDispatch(
	sql: Tx,
	rows: readonly Postponement[],
): Promise<Set<string>> {
	if (rows.length === 0) return new Set();
	const held = heldRows(sql, dispatchQueue, rows, {
		delay_ms: sql`${rows.map((row) => row.delayMs)}::float8[]`,
		refusals: sql`${rows.map((row) => row.refusals)}::integer[]`,
	});
	return toKeys(
		await sql<ClaimNumber[]>`
			update dispatch as work
			set
				token = null,
				submitting = false,
				due_at = now() + held.delay_ms * interval '1 millisecond',
				refusals = held.refusals
			from ${held}
			where ${isHeld(sql, dispatchQueue)}
			returning work.message_id as "messageId", work.attempt
		`,
	);
}

/** Messages that were being submitted under tokens that are void. */
export async function findSubmitting(
	sql: Tx,
	tokens: readonly string[],
): Promise<string[]> {
	const rows = await sql<{ messageId: string }[]>`
		select message_id as "messageId"
		from dispatch
		where token = any(${[...tokens]}::uuid[])
		and submitting
	`;
	return rows.map((row) => row.messageId);
}

/** Waiting messages whose validity is over. */
export async function findOverdue(
	sql: Queryable,
	limit: number,
): Promise<string[]> {
	const rows = await sql<{ messageId: string }[]>`
		select message_id as "messageId"
		from dispatch
		where expires_at <= now()
		and token is null
		order by expires_at
		limit ${limit}
	`;
	return rows.map((row) => row.messageId);
}

/** Takes messages out of dispatch that wait, or are held under one of these tokens; returns their ids. */
export async function deleteUnheld(
	sql: Tx,
	messageIds: readonly string[],
	tokens: readonly string[] = [],
): Promise<string[]> {
	if (messageIds.length === 0) return [];
	const rows = await sql<{ messageId: string }[]>`
		delete from dispatch
		where message_id = any(${[...messageIds]}::uuid[])
		and (token is null or token = any(${[...tokens]}::uuid[]))
		returning message_id as "messageId"
	`;
	return rows.map((row) => row.messageId);
}

/** Takes messages out of dispatch about which the provider has spoken, whoever holds them. */
export async function deleteDispatch(
	sql: Tx,
	messageIds: readonly string[],
): Promise<void> {
	if (messageIds.length === 0) return;
	await sql`
		delete from dispatch
		where message_id = any(${[...messageIds]}::uuid[])
	`;
}

/** Holds back all that waits for recipients that got too many. */
export async function pauseRecipients(
	sql: Tx,
	paused: readonly {
		readonly phoneNumberId: string;
		readonly recipient: string;
		readonly delayMs: number;
	}[],
): Promise<void> {
	const columns = {
		phoneNumberId: "uuid",
		recipient: "text",
		delayMs: "float8",
	} as const;
	await sql`
		update dispatch
		set due_at = greatest(
			due_at,
			now() + given.delay_ms * interval '1 millisecond'
		)
		from ${unnest(sql, paused, columns)}
		where dispatch.phone_number_id = given.phone_number_id
		and dispatch.recipient = given.recipient
		and token is null
	`;
}

/** Rows that wait, counted up to a limit. */
export async function countDispatch(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const [row] = await sql<{ count: number }[]>`
		select count(*) as count
		from (select from dispatch limit ${limit}) as waiting
	`;
	return row?.count ?? 0;
}

function toKeys(claims: readonly ClaimNumber[]): Set<string> {
	return new Set(claims.map(claimKey));
}
