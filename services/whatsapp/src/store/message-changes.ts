import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { Progress } from "../domain/progress.ts";

export interface LockedMessage extends Progress {
	readonly id: string;
	readonly organizationId: string;
	readonly phoneNumberId: string;
	/** Null when it was erased. */
	readonly recipient: string | null;
	readonly templateName: string | null;
	readonly clientReference: string | null;
	/** Null for a message that is not traced. */
	readonly traceparent: string | null;
	/** The database's time. */
	readonly lockedAt: Date;
}

/** Locks messages in id order: whoever changes several rows of one message takes this lock first. */
export async function lockMessages(
	sql: Tx,
	ids: readonly string[],
): Promise<LockedMessage[]> {
	if (ids.length === 0) return [];
	return sql<LockedMessage[]>`
		select
			id,
			organization_id as "organizationId",
			phone_number_id as "phoneNumberId",
			recipient,
			template_name as "templateName",
			client_reference as "clientReference",
			traceparent,
			status,
			billing_category as "billingCategory",
			error_code as "errorCode",
			provider_error as "providerError",
			provider_message_id as "providerMessageId",
			attempts,
			sent_at as "sentAt",
			delivered_at as "deliveredAt",
			read_at as "readAt",
			finished_at as "finishedAt",
			unknown_until as "unknownUntil",
			now() as "lockedAt"
		from messages
		where id = any(${[...ids]}::uuid[])
		and direction = 'outbound'
		order by id
		for update
	`;
}

interface ProviderName {
	readonly phoneNumberId: string;
	readonly providerMessageId: string;
}

export async function findByProviderIds(
	sql: Queryable,
	names: readonly ProviderName[],
): Promise<(ProviderName & { readonly id: string })[]> {
	if (names.length === 0) return [];
	return sql`
		select
			id,
			phone_number_id as "phoneNumberId",
			provider_message_id as "providerMessageId"
		from messages
		where (phone_number_id, provider_message_id) in (
			select *
			from ${unnest(sql, names, { phoneNumberId: "uuid", providerMessageId: "text" })}
		)
		and direction = 'outbound'
	`;
}

export async function findOverdueUnknown(
	sql: Queryable,
	limit: number,
): Promise<string[]> {
	const rows = await sql<{ id: string }[]>`
		select id
		from messages
		where status = 'unknown'
		and unknown_until <= now()
		order by unknown_until
		limit ${limit}
	`;
	return rows.map((row) => row.id);
}

export async function updateProgress(
	sql: Tx,
	messages: readonly LockedMessage[],
): Promise<void> {
	await sql`
		update messages
		set
			status = given.status,
			billing_category = given.billing_category,
			error_code = given.error_code,
			provider_error = given.provider_error,
			provider_message_id = given.provider_message_id,
			attempts = given.attempts,
			sent_at = given.sent_at,
			delivered_at = given.delivered_at,
			read_at = given.read_at,
			finished_at = given.finished_at,
			unknown_until = given.unknown_until
		from ${unnest(sql, messages, {
			id: "uuid",
			status: "text",
			billingCategory: "text",
			errorCode: "text",
			providerError: "text",
			providerMessageId: "text",
			attempts: "integer",
			sentAt: "timestamptz",
			deliveredAt: "timestamptz",
			readAt: "timestamptz",
			finishedAt: "timestamptz",
			unknownUntil: "timestamptz",
		})}
		where messages.id = given.id
	`;
}
