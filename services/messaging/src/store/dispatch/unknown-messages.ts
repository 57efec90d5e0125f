import type { Queryable } from "@airtower/platform/database/database";

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

export const unknownMessages = (sql: Queryable) => sql`(
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
