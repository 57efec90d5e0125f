import { byIndex } from "@airtower/platform/database/by-index";
import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type {
	LeasedQueue,
	QueueKey,
} from "@airtower/platform/work/leased-queue";

export const dispatchQueue: LeasedQueue<"messageId"> = {
	table: "dispatch",
	key: { messageId: "message_id" },
	group: "phone_number_id",
};

export type DispatchContent =
	| { readonly body: string }
	| { readonly parameters: readonly string[] };

interface NewDispatch {
	readonly messageId: string;
	readonly phoneNumberId: string;
	readonly recipient: string;
	readonly templateId: string | null;
	readonly content: DispatchContent;
}

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

/** Messages that were being submitted under tokens that are void. */
export async function findSubmitting(
	sql: Tx,
	tokens: readonly string[],
): Promise<string[]> {
	const rows = await sql<MessageKey[]>`
		select message_id as "messageId"
		from dispatch
		where token = any(${[...tokens]}::uuid[])
		and submitting
	`;
	return rows.map(toMessageId);
}

export async function findOverdue(sql: Tx, limit: number): Promise<string[]> {
	const rows = await byIndex(
		sql,
		(sql) => sql<MessageKey[]>`
		select message_id as "messageId"
		from dispatch
		where expires_at <= now()
		and token is null
		order by expires_at
		limit ${limit}
	`,
	);
	return rows.map(toMessageId);
}

/** Takes messages out of dispatch that wait; returns their ids. */
export async function deleteUnclaimed(
	sql: Tx,
	messageIds: readonly string[],
): Promise<Set<string>> {
	if (messageIds.length === 0) return new Set();
	const rows = await sql<MessageKey[]>`
		delete from dispatch
		where message_id = any(${[...messageIds]}::uuid[])
		and token is null
		returning message_id as "messageId"
	`;
	return new Set(rows.map(toMessageId));
}

/** Takes messages out of dispatch that are still claimed under one of these tokens; returns their ids. */
export async function deleteClaimed(
	sql: Tx,
	messageIds: readonly string[],
	tokens: readonly string[],
): Promise<Set<string>> {
	if (messageIds.length === 0) return new Set();
	const rows = await sql<MessageKey[]>`
		delete from dispatch
		where message_id = any(${[...messageIds]}::uuid[])
		and token = any(${[...tokens]}::uuid[])
		returning message_id as "messageId"
	`;
	return new Set(rows.map(toMessageId));
}

/** Takes messages out of dispatch about which the provider has spoken, whoever has claimed them. */
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

type MessageKey = QueueKey<"messageId">;

function toMessageId({ messageId }: MessageKey): string {
	return messageId;
}

/** What is not sent from a number yet is over its validity now; what is being sent, should it be refused for now. */
export async function expireUnsent(
	sql: Tx,
	phoneNumberId: string,
): Promise<void> {
	await sql`
		update dispatch
		set expires_at = now()
		where phone_number_id = ${phoneNumberId}
		and expires_at > now()
	`;
}
