import type { Queryable } from "@airtower/platform/database/database";
import type { MessageState } from "../domain/message-state.ts";

/** Of a message joined to its row in the queue: an attempt lives there until it is settled. */
export const shownStatus = (sql: Queryable) => sql`
	case
		when status = 'accepted' and dispatch.attempt > dispatch.unsent then 'submitting'
		else status
	end
`;

export async function countMessages(
	sql: Queryable,
	organizationId: string,
): Promise<{ status: MessageState; count: number }[]> {
	return sql<{ status: MessageState; count: number }[]>`
		select ${shownStatus(sql)} as status, count(*) as count
		from messages
		left join dispatch on dispatch.message_id = messages.id
		where messages.organization_id = ${organizationId}
		group by 1
	`;
}

export interface TracedMessageRow {
	readonly organizationId: string;
	readonly recipient: string;
	readonly status: MessageState;
	readonly reason: string | null;
	readonly route: string;
	readonly segments: number;
	readonly attempts: number;
	readonly possibleDuplicate: boolean;
	readonly operatorError: string | null;
	readonly acceptedAt: Date;
	readonly submittedAt: Date | null;
	readonly finishedAt: Date | null;
}

/** Whoever owns the message: the caller's right to it is checked by its organization. */
export async function findTracedMessage(
	sql: Queryable,
	id: string,
): Promise<TracedMessageRow | undefined> {
	const [row] = await sql<TracedMessageRow[]>`
		select
			messages.organization_id as "organizationId",
			recipient,
			${shownStatus(sql)} as status,
			reason,
			messages.route,
			coalesce(part_count, messages.segments) as segments,
			coalesce(dispatch.attempt - dispatch.unsent, attempts) as attempts,
			possible_duplicate
				or dispatch.resent and dispatch.token is not null as "possibleDuplicate",
			operator_error as "operatorError",
			accepted_at as "acceptedAt",
			submitted_at as "submittedAt",
			finished_at as "finishedAt"
		from messages
		left join dispatch on dispatch.message_id = messages.id
		where messages.id = ${id}
	`;
	return row;
}
