import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { FailureCode } from "../domain/failure.ts";
import { type MessageState, statesBefore } from "../domain/message-state.ts";
import type { Progress } from "../domain/progress.ts";
import type { BillingCategory } from "../domain/template-state.ts";
import { dateRange, isAfter, type ListRange, matches } from "./list-range.ts";

export interface NewMessage {
	readonly id: string;
	readonly organizationId: string;
	readonly phoneNumberId: string;
	readonly type: "template" | "text";
	/** E.164 with "+". */
	readonly recipient: string;
	readonly billingCategory: BillingCategory;
	readonly templateName: string | null;
	readonly templateLanguage: string | null;
	readonly clientReference: string | null;
}

export interface MessageRow {
	readonly id: string;
	readonly organizationId: string;
	readonly phoneNumberId: string;
	readonly direction: "outbound" | "inbound";
	readonly type: "template" | "text";
	readonly recipient: string | null;
	readonly status: MessageState | "received";
	readonly billingCategory: BillingCategory;
	readonly templateName: string | null;
	readonly templateLanguage: string | null;
	readonly errorCode: FailureCode | null;
	readonly clientReference: string | null;
	readonly createdAt: Date;
	readonly sentAt: Date | null;
	readonly deliveredAt: Date | null;
	readonly readAt: Date | null;
}

export interface TracedMessageRow extends MessageRow {
	readonly providerMessageId: string | null;
	readonly providerError: string | null;
	readonly attempts: number;
}

/** A message that has just reached its outcome. */
export interface FinishedMessage {
	readonly id: string;
	readonly organizationId: string;
	readonly recipient: string;
	readonly clientReference: string | null;
	readonly errorCode: FailureCode | null;
	readonly finishedAt: Date;
}

/** An outbound message, locked. */
export interface LockedMessage extends Progress {
	readonly id: string;
	readonly organizationId: string;
	readonly phoneNumberId: string;
	readonly recipient: string;
	readonly clientReference: string | null;
}

export interface MessageFilter {
	readonly status: string;
	readonly billingCategory: string;
	readonly templateName: string;
	readonly recipient: string;
}

const columns = (sql: Queryable) => sql`
	id,
	organization_id as "organizationId",
	phone_number_id as "phoneNumberId",
	direction,
	type,
	recipient,
	status,
	billing_category as "billingCategory",
	template_name as "templateName",
	template_language as "templateLanguage",
	error_code as "errorCode",
	client_reference as "clientReference",
	created_at as "createdAt",
	sent_at as "sentAt",
	delivered_at as "deliveredAt",
	read_at as "readAt"
`;

export async function insertMessages(
	sql: Tx,
	messages: readonly NewMessage[],
): Promise<void> {
	await sql`
		insert into messages (
			id, organization_id, phone_number_id, direction, type, recipient, status,
			billing_category, template_name, template_language, client_reference
		)
		select
			id, organization_id, phone_number_id, 'outbound', type, recipient, 'accepted',
			billing_category, template_name, template_language, client_reference
		from unnest(
			${messages.map((one) => one.id)}::uuid[],
			${messages.map((one) => one.organizationId)}::uuid[],
			${messages.map((one) => one.phoneNumberId)}::uuid[],
			${messages.map((one) => one.type)}::text[],
			${messages.map((one) => one.recipient)}::text[],
			${messages.map((one) => one.billingCategory)}::text[],
			${messages.map((one) => one.templateName)}::text[],
			${messages.map((one) => one.templateLanguage)}::text[],
			${messages.map((one) => one.clientReference)}::text[]
		) as fresh (
			id, organization_id, phone_number_id, type, recipient,
			billing_category, template_name, template_language, client_reference
		)
	`;
}

/** Stores a user's message; false when it is stored already. */
export async function insertInbound(
	sql: Tx,
	message: {
		readonly id: string;
		readonly organizationId: string;
		readonly phoneNumberId: string;
		readonly recipient: string | null;
		readonly providerMessageId: string;
	},
): Promise<boolean> {
	const inserted = await sql`
		insert into messages (
			id, organization_id, phone_number_id, direction, type, recipient, status,
			billing_category, provider_message_id
		)
		values (
			${message.id}, ${message.organizationId}, ${message.phoneNumberId},
			'inbound', 'text', ${message.recipient}, 'received',
			'service', ${message.providerMessageId}
		)
		on conflict (phone_number_id, provider_message_id) do nothing
	`;
	return inserted.count === 1;
}

/** One page of an organization's messages, newest first. */
export async function listMessages(
	sql: Queryable,
	organizationId: string,
	filter: MessageFilter,
	range: ListRange,
): Promise<MessageRow[]> {
	return sql<MessageRow[]>`
		select ${columns(sql)}
		from messages
		where organization_id = ${organizationId}
		${matches(sql, "status", filter.status)}
		${matches(sql, "billing_category", filter.billingCategory)}
		${matches(sql, "template_name", filter.templateName)}
		${matches(sql, "recipient", filter.recipient)}
		${dateRange(sql, range)}
		${isAfter(sql, range.after)}
		order by created_at desc, id desc
		limit ${range.limit}
	`;
}

/** For the platform's operator only: whoever owns the message. */
export async function findTracedMessage(
	sql: Queryable,
	id: string,
): Promise<TracedMessageRow | undefined> {
	const [row] = await sql<TracedMessageRow[]>`
		select
			${columns(sql)},
			provider_message_id as "providerMessageId",
			provider_error as "providerError",
			attempts
		from messages
		where id = ${id}
	`;
	return row;
}

/** Counts one more attempt. */
export async function markSubmitting(
	sql: Tx,
	ids: readonly string[],
): Promise<void> {
	await sql`
		update messages
		set
			status = case
				when status in ${sql(statesBefore("submitting"))} then 'submitting'
				else status
			end,
			attempts = attempts + 1
		where id = any(${[...ids]}::uuid[])
	`;
}

/** Takes back the count of attempts that never reached the provider. */
export async function forgetAttempts(
	sql: Tx,
	ids: readonly string[],
): Promise<void> {
	await sql`
		update messages
		set attempts = attempts - 1
		where id = any(${[...ids]}::uuid[])
	`;
}

/** Marks messages as sent without an answer. */
export async function markUnknown(
	sql: Tx,
	ids: readonly string[],
): Promise<void> {
	await sql`
		update messages
		set status = 'unknown'
		where id = any(${[...ids]}::uuid[])
		and status in ${sql(statesBefore("unknown"))}
	`;
}

/** Marks messages that the provider has taken. */
export async function markSent(
	sql: Tx,
	sent: readonly { readonly id: string; readonly providerMessageId: string }[],
): Promise<void> {
	await sql`
		update messages
		set
			status = 'sent',
			provider_message_id = sent.provider_message_id,
			sent_at = coalesce(sent_at, now())
		from unnest(
			${sent.map((one) => one.id)}::uuid[],
			${sent.map((one) => one.providerMessageId)}::text[]
		) as sent (id, provider_message_id)
		where messages.id = sent.id
		and status in ${sql(statesBefore("sent"))}
	`;
}

/** Keeps the provider's latest error with messages, for support cases. */
export async function noteProviderErrors(
	sql: Tx,
	errors: readonly { readonly id: string; readonly text: string }[],
): Promise<void> {
	await sql`
		update messages
		set provider_error = noted.text
		from unnest(
			${errors.map((one) => one.id)}::uuid[],
			${errors.map((one) => one.text)}::text[]
		) as noted (id, text)
		where messages.id = noted.id
	`;
}

/** Fails messages; answers those that had not ended before, once each. */
export async function failMessages(
	sql: Tx,
	failures: readonly { readonly id: string; readonly code: FailureCode }[],
): Promise<FinishedMessage[]> {
	if (failures.length === 0) return [];
	return sql<FinishedMessage[]>`
		update messages
		set
			status = 'failed',
			error_code = failed.code,
			finished_at = now()
		from unnest(
			${failures.map((one) => one.id)}::uuid[],
			${failures.map((one) => one.code)}::text[]
		) as failed (id, code)
		where messages.id = failed.id
		and status in ${sql(statesBefore("failed"))}
		returning
			messages.id,
			organization_id as "organizationId",
			recipient,
			client_reference as "clientReference",
			error_code as "errorCode",
			finished_at as "finishedAt"
	`;
}

/** Locks messages in id order: whoever changes several rows of one message takes this lock first. */
export async function lockMessages(
	sql: Tx,
	ids: readonly string[],
): Promise<LockedMessage[]> {
	return sql<LockedMessage[]>`
		select
			id,
			organization_id as "organizationId",
			phone_number_id as "phoneNumberId",
			recipient,
			client_reference as "clientReference",
			status,
			billing_category as "billingCategory",
			error_code as "errorCode",
			provider_error as "providerError",
			provider_message_id as "providerMessageId",
			sent_at as "sentAt",
			delivered_at as "deliveredAt",
			read_at as "readAt",
			finished_at as "finishedAt"
		from messages
		where id = any(${[...ids]}::uuid[])
		and direction = 'outbound'
		order by id
		for update
	`;
}

/** Our ids of messages that the provider names by its own. */
export async function findByProviderIds(
	sql: Queryable,
	names: readonly {
		readonly phoneNumberId: string;
		readonly providerMessageId: string;
	}[],
): Promise<{ id: string; phoneNumberId: string; providerMessageId: string }[]> {
	if (names.length === 0) return [];
	return sql`
		select
			id,
			phone_number_id as "phoneNumberId",
			provider_message_id as "providerMessageId"
		from messages
		where (phone_number_id, provider_message_id) in (
			select *
			from unnest(
				${names.map((one) => one.phoneNumberId)}::uuid[],
				${names.map((one) => one.providerMessageId)}::text[]
			)
		)
		and direction = 'outbound'
	`;
}

/** Writes how far locked messages have come. */
export async function updateProgress(
	sql: Tx,
	messages: readonly LockedMessage[],
): Promise<void> {
	await sql`
		update messages
		set
			status = moved.status,
			billing_category = moved.billing_category,
			error_code = moved.error_code,
			provider_error = moved.provider_error,
			provider_message_id = moved.provider_message_id,
			sent_at = moved.sent_at,
			delivered_at = moved.delivered_at,
			read_at = moved.read_at,
			finished_at = moved.finished_at
		from unnest(
			${messages.map((one) => one.id)}::uuid[],
			${messages.map((one) => one.status)}::text[],
			${messages.map((one) => one.billingCategory)}::text[],
			${messages.map((one) => one.errorCode)}::text[],
			${messages.map((one) => one.providerError)}::text[],
			${messages.map((one) => one.providerMessageId)}::text[],
			${messages.map((one) => isoOrNull(one.sentAt))}::timestamptz[],
			${messages.map((one) => isoOrNull(one.deliveredAt))}::timestamptz[],
			${messages.map((one) => isoOrNull(one.readAt))}::timestamptz[],
			${messages.map((one) => isoOrNull(one.finishedAt))}::timestamptz[]
		) as moved (
			id, status, billing_category, error_code, provider_error,
			provider_message_id, sent_at, delivered_at, read_at, finished_at
		)
		where messages.id = moved.id
	`;
}

function isoOrNull(date: Date | null): string | null {
	return date === null ? null : date.toISOString();
}
