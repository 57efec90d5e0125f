import {
	type Queryable,
	TRANSACTION_TIMEOUT_MS,
} from "@airtower/platform/database/database";
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

/** Stores messages with their dispatch; returns how many: all, or none once the deadline has passed. */
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
 * True while a transaction that has written messages runs for longer than it may: a commit that waits for the disk or
 * a standby, and nobody sees yet what it stores. Throws when the server does not track transactions.
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
