import type { Queryable } from "@airtower/platform/database/database";

export interface NewMessage {
	readonly id: string;
	readonly organizationId: string;
	readonly recipient: string;
	readonly body: string;
	readonly senderId: string;
	readonly senderValue: string;
	readonly clientReference: string | null;
	readonly campaignId: string | null;
	readonly segments: number;
	readonly concatReference: number;
	readonly route: string;
	/** Undefined for a message that is not traced. */
	readonly traceparent?: string | undefined;
}

/** Between which times rows may be inserted, and for how long their messages may be sent. */
export interface InsertTimes {
	readonly notBefore: Date;
	readonly deadline: Date;
	readonly validityMs: number;
}

/** Returns how many: all, or none once the deadline has passed, or when the clock was set back meanwhile. */
export async function insertMessages(
	sql: Queryable,
	messages: readonly NewMessage[],
	{ notBefore, deadline, validityMs }: InsertTimes,
): Promise<number> {
	const inserted = await sql`
		with stored as (
			insert into messages (
				id, organization_id, recipient, body, sender_id, sender_value,
				client_reference, campaign_id, segments, concat_reference, route, traceparent
			)
			select *
			from unnest(
				${messages.map((message) => message.id)}::uuid[],
				${messages.map((message) => message.organizationId)}::uuid[],
				${messages.map((message) => message.recipient)}::text[],
				${messages.map((message) => message.body)}::text[],
				${messages.map((message) => message.senderId)}::uuid[],
				${messages.map((message) => message.senderValue)}::text[],
				${messages.map((message) => message.clientReference)}::text[],
				${messages.map((message) => message.campaignId)}::uuid[],
				${messages.map((message) => message.segments)}::smallint[],
				${messages.map((message) => message.concatReference)}::smallint[],
				${messages.map((message) => message.route)}::text[],
				${messages.map((message) => message.traceparent ?? null)}::text[]
			)
			where statement_timestamp() >= ${notBefore}
			and statement_timestamp() < ${deadline}
			returning id, organization_id, route, segments
		)
		insert into dispatch (message_id, organization_id, route, segments, expires_at)
		select
			id,
			organization_id,
			route,
			segments,
			now() + ${validityMs} * interval '1 millisecond'
		from stored
	`;
	return inserted.count;
}
