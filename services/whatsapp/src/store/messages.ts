import type { Queryable } from "@airtower/platform/database/database";
import { isAfter } from "@airtower/platform/database/page";
import type { FailureCode } from "../domain/failure.ts";
import type { MessageState } from "../domain/message-state.ts";
import type { BillingCategory } from "../domain/template-state.ts";
import { dateRange, type ListRange, matches } from "./list-range.ts";

export interface MessageRow {
	readonly id: string;
	readonly organizationId: string;
	readonly phoneNumberId: string;
	readonly direction: "outbound" | "inbound";
	readonly type: "template" | "text";
	readonly recipient: string | null;
	readonly status: MessageState | "submitting" | "received";
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

interface TracedMessageRow extends MessageRow {
	readonly providerMessageId: string | null;
	readonly providerError: string | null;
	readonly attempts: number;
}

interface MessageFilter {
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
	case when ${isClaimed(sql)} then 'submitting' else status end as status,
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

/** True for an accepted message in the queue that was claimed before: clients see it as submitting. */
const isClaimed = (sql: Queryable) => sql`(
	status = 'accepted'
	and coalesce(
		(select attempt > 0 from dispatch where message_id = messages.id),
		false
	)
)`;

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
		${hasStatus(sql, filter.status)}
		${matches(sql, "billing_category", filter.billingCategory)}
		${matches(sql, "template_name", filter.templateName)}
		${matches(sql, "recipient", filter.recipient)}
		${dateRange(sql, range)}
		${isAfter(sql, range.after)}
		order by created_at desc, id desc
		limit ${range.limit}
	`;
}

/** Stored states are looked up by index; those that are shown for them alone are told apart within. */
function hasStatus(sql: Queryable, status: string) {
	if (status === "submitting")
		return sql`and status = 'accepted' and ${isClaimed(sql)}`;
	const stored = matches(sql, "status", status);
	return status === "accepted"
		? sql`${stored} and not ${isClaimed(sql)}`
		: stored;
}

/** For the admin only: whoever owns the message. */
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
