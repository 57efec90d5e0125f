import type { Queryable, Tx } from "@airtower/platform/database/database";

export interface NewEvent {
	id: string;
	organizationId: string;
	messageId: string;
	type: string;
	body: string;
	occurredAt: Date;
	createdAt: Date;
}

/** Stores events; one that is there already is left as it is. */
export async function insertEvents(
	sql: Tx,
	events: readonly NewEvent[],
): Promise<void> {
	await sql`
		insert into events (id, organization_id, message_id, type, body, occurred_at, created_at)
		select *
		from unnest(
			${events.map((event) => event.id)}::uuid[],
			${events.map((event) => event.organizationId)}::uuid[],
			${events.map((event) => event.messageId)}::uuid[],
			${events.map((event) => event.type)}::text[],
			${events.map((event) => event.body)}::text[],
			${events.map((event) => event.occurredAt.toISOString())}::timestamptz[],
			${events.map((event) => event.createdAt.toISOString())}::timestamptz[]
		)
		on conflict do nothing
	`;
}

/** Removes events older than `days` whose deliveries are all over, with those; answers how many events. */
export async function deleteOldEvents(
	sql: Queryable,
	days: number,
	limit: number,
): Promise<number> {
	const rows = await sql`
		with old as materialized (
			select id
			from events e
			where created_at < now() - ${days} * interval '1 day'
			and not exists (
				select
				from deliveries d
				where d.event_id = e.id
				and d.state in ('pending', 'sending')
			)
			order by created_at
			limit ${limit}
			for update skip locked
		),
		gone as (
			delete from deliveries
			where event_id in (select id from old)
		)
		delete from events
		where id in (select id from old)
		returning 1
	`;
	return rows.count;
}
