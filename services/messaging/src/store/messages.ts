import {
	type Queryable,
	TRANSACTION_TIMEOUT_MS,
} from "@airtower/platform/database/database";
import type { MessageState } from "../domain/message-state.ts";
import { idRange } from "./id-range.ts";

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
}

/** Until when rows may be inserted, and for how long their messages may be sent. */
export interface InsertTimes {
	readonly deadline: Date;
	readonly validityMs: number;
}

/**
 * Stores messages with their dispatch in one statement; returns how many: all, or none once the deadline has passed.
 */
export async function insertMessages(
	sql: Queryable,
	messages: readonly NewMessage[],
	{ deadline, validityMs }: InsertTimes,
): Promise<number> {
	const inserted = await sql`
		with stored as (
			insert into messages (
				id, organization_id, recipient, body, sender_id, sender_value,
				client_reference, campaign_id, segments, concat_reference, route
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
				${messages.map((message) => message.route)}::text[]
			)
			where statement_timestamp() < ${deadline}
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

/**
 * True while a transaction that has written messages runs for longer than it may. Only a commit does, one that waits
 * for the disk or a standby; until its end nobody sees what it stores. Throws when the server does not track
 * transactions.
 */
export async function isCommitOverdue(sql: Queryable): Promise<boolean> {
	const [row] = await sql<[{ overdue: boolean; tracked: boolean }]>`
		select
			exists (
				select
				from pg_stat_activity
				where datname = current_database()
				and xact_start < clock_timestamp() - ${TRANSACTION_TIMEOUT_MS} * interval '1 millisecond'
				and pid in (
					select pid
					from pg_locks
					where relation = 'messages'::regclass
					and mode = 'RowExclusiveLock'
				)
			) as overdue,
			current_setting('track_activities')::boolean as tracked
	`;
	if (!row.tracked)
		throw new Error("PostgreSQL's track_activities is off; switch it on.");
	return row.overdue;
}

/** The ids, of all organizations, that are not stored. */
export async function findMissingMessageIds(
	sql: Queryable,
	ids: readonly string[],
): Promise<string[]> {
	if (ids.length === 0) return [];
	const { first, last } = idRange(ids);
	const rows = await sql<{ id: string }[]>`
		select wanted.id
		from unnest(${[...ids]}::uuid[]) as wanted (id)
		left join lateral (
			select true as exists
			from messages
			where messages.id = wanted.id
			and messages.id between ${first} and ${last}
			limit 1
		) as stored on true
		where stored.exists is null
	`;
	return rows.map((row) => row.id);
}

/** The status of a message, joined to its row in the queue: an attempt lives there until it is settled. */
const shownStatus = (sql: Queryable) => sql`
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

/** For the platform's operator only: whoever owns the message. */
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
