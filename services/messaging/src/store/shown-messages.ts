import type { Queryable } from "@airtower/platform/database/database";
import type { Lane } from "../domain/lanes.ts";
import type { ShownState } from "../domain/message-state.ts";

/** A message as lists and traces show it. */
export interface ShownMessage {
	readonly id: string;
	readonly organizationId: string;
	readonly recipient: string;
	readonly senderId: string;
	readonly senderValue: string;
	readonly status: ShownState;
	readonly reason: string | null;
	readonly operatorError: string | null;
	readonly route: string;
	readonly rulesVersion: number | null;
	/** The one it was accepted for; null where it was not moved since. */
	readonly firstRoute: string | null;
	readonly segments: number;
	readonly lane: Lane;
	readonly attempts: number;
	readonly possibleDuplicate: boolean;
	readonly clientReference: string | null;
	readonly campaignId: string | null;
	readonly createdAt: Date;
	/** Null for one that was to be sent at once. */
	readonly sendAt: Date | null;
	readonly submittedAt: Date | null;
	readonly finishedAt: Date | null;
}

/**
 * Of a message joined to its row in the queue: an attempt lives there until it is settled, and none begins before the
 * message is due.
 */
const shownStatus = (sql: Queryable) => sql`
	case
		when status <> 'accepted' then status
		when dispatch.attempt > dispatch.unsent then 'submitting'
		when messages.send_at > now() then 'scheduled'
		else status
	end
`;

export const shownColumns = (sql: Queryable) => sql`
	messages.id,
	messages.organization_id as "organizationId",
	recipient,
	sender_id as "senderId",
	sender_value as "senderValue",
	${shownStatus(sql)} as status,
	reason,
	operator_error as "operatorError",
	messages.route,
	messages.segments,
	messages.lane,
	rules_version as "rulesVersion",
	first_route as "firstRoute",
	coalesce(dispatch.attempt - dispatch.unsent, attempts) as attempts,
	possible_duplicate
		or coalesce(dispatch.resent and dispatch.token is not null, false) as "possibleDuplicate",
	client_reference as "clientReference",
	campaign_id as "campaignId",
	accepted_at as "createdAt",
	messages.send_at as "sendAt",
	submitted_at as "submittedAt",
	finished_at as "finishedAt"
`;

export async function findMessage(
	sql: Queryable,
	organizationId: string,
	id: string,
): Promise<ShownMessage | undefined> {
	const [row] = await sql<ShownMessage[]>`
		select ${shownColumns(sql)}
		from messages
		left join dispatch on dispatch.message_id = messages.id
		where messages.id = ${id}
		and messages.organization_id = ${organizationId}
	`;
	return row;
}

/** Whoever owns the message: the caller's right to it is checked by its organization. */
export async function findTracedMessage(
	sql: Queryable,
	id: string,
): Promise<ShownMessage | undefined> {
	const [row] = await sql<ShownMessage[]>`
		select ${shownColumns(sql)}
		from messages
		left join dispatch on dispatch.message_id = messages.id
		where messages.id = ${id}
	`;
	return row;
}

export async function countMessages(
	sql: Queryable,
	organizationId: string,
): Promise<{ status: ShownState; count: number }[]> {
	return sql<{ status: ShownState; count: number }[]>`
		select ${shownStatus(sql)} as status, count(*) as count
		from messages
		left join dispatch on dispatch.message_id = messages.id
		where messages.organization_id = ${organizationId}
		group by 1
	`;
}
