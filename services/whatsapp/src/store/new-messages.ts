import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { appendingToOutbox } from "@airtower/platform/events/outbox";
import { erasedId } from "../domain/erased-id.ts";
import type { BillingCategory } from "../domain/template-state.ts";

export interface NewMessage {
	readonly id: string;
	readonly organizationId: string;
	readonly phoneNumberId: string;
	readonly type: "template" | "text";
	readonly recipient: string;
	readonly billingCategory: BillingCategory;
	readonly templateName: string | null;
	readonly templateLanguage: string | null;
	readonly clientReference: string | null;
	/** Null for a message that is not traced. */
	readonly traceparent: string | null;
}

/** Stores messages and the events that tell of them. */
export async function insertMessages(
	sql: Tx,
	messages: readonly NewMessage[],
	events: readonly BusEvent[],
): Promise<void> {
	await sql`
		with told as (
			${appendingToOutbox(sql, events, sql`true`)}
		)
		insert into messages (
			id, organization_id, phone_number_id, type, recipient,
			billing_category, template_name, template_language, client_reference,
			traceparent, direction, status
		)
		select given.*, 'outbound', 'accepted'
		from ${unnest(sql, messages, {
			id: "uuid",
			organizationId: "uuid",
			phoneNumberId: "uuid",
			type: "text",
			recipient: "text",
			billingCategory: "text",
			templateName: "text",
			templateLanguage: "text",
			clientReference: "text",
			traceparent: "text",
		})}
	`;
}

/** Stores a user's message; false when it is stored already, or was and its number has been erased since. */
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
		select
			${message.id}, ${message.organizationId}, ${message.phoneNumberId},
			'inbound', 'text', ${message.recipient}, 'received',
			'service', ${message.providerMessageId}
		where not exists (
			select
			from messages
			where phone_number_id = ${message.phoneNumberId}
			and provider_message_id = ${erasedId(message.providerMessageId)}
		)
		on conflict (phone_number_id, provider_message_id) do nothing
	`;
	return inserted.count === 1;
}
