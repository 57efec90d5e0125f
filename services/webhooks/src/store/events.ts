import type { Queryable, Tx } from "@airtower/platform/database";

export interface NewEvent {
	id: string;
	organizationId: string;
	messageId: string;
	type: string;
	body: string;
	occurredAt: Date;
	createdAt: Date;
}

/** An endpoint that was given new deliveries. */
export interface Target {
	endpointId: string;
	organizationId: string;
}

/**
 * Stores the events that an active endpoint subscribes to, with one delivery per such endpoint, due
 * at once. Events that nobody subscribes to leave no row; repeated events change nothing.
 */
export async function insertEvents(
	sql: Tx,
	events: readonly NewEvent[],
): Promise<Target[]> {
	return sql<Target[]>`
		with incoming as materialized (
			select *
			from unnest(
				${events.map((event) => event.id)}::uuid[],
				${events.map((event) => event.organizationId)}::uuid[],
				${events.map((event) => event.messageId)}::uuid[],
				${events.map((event) => event.type)}::text[],
				${events.map((event) => event.body)}::text[],
				${events.map((event) => event.occurredAt.toISOString())}::timestamptz[],
				${events.map((event) => event.createdAt.toISOString())}::timestamptz[]
			) as e (id, organization_id, message_id, type, body, occurred_at, created_at)
		),
		subscribers as materialized (
			select id, organization_id, subscribed_events
			from endpoints
			where organization_id = any(${[...new Set(events.map((event) => event.organizationId))]}::uuid[])
			and status = 'active'
		),
		targets as materialized (
			select i.id as event_id, s.id as endpoint_id, i.organization_id
			from incoming i
			join subscribers s on s.organization_id = i.organization_id
			and i.type = any(s.subscribed_events)
		),
		stored as (
			insert into events (id, organization_id, message_id, type, body, occurred_at, created_at)
			select id, organization_id, message_id, type, body, occurred_at, created_at
			from incoming
			where id in (select event_id from targets)
			on conflict do nothing
		),
		queued as (
			insert into deliveries (event_id, endpoint_id, organization_id, due_at)
			select event_id, endpoint_id, organization_id, now()
			from targets
			on conflict do nothing
			returning endpoint_id, organization_id
		)
		select distinct endpoint_id as "endpointId", organization_id as "organizationId"
		from queued
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
