import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { QueueKey } from "@airtower/platform/work/leased-queue";
import { queuedEndpoints, type Target } from "./delivery-queue.ts";

export type DeliveryStatus = "pending" | "delivered" | "dead";
export type DeliveryKey = QueueKey<"eventId" | "endpointId">;

/** Of deliveries that wait for endpoints that are no longer active; returns how many. */
export async function markAbandonedDead(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const rows = await sql`
		${queuedEndpoints(sql)},
		ended as (
			delete from delivery_queue
			where ctid = any(array(
				select waiting.row
				from queued
				cross join lateral (
					select
					from endpoints
					where id = queued.endpoint_id
					and status <> 'active'
					limit 1
				) inactive
				cross join lateral (
					select ctid as row
					from delivery_queue
					where endpoint_id = queued.endpoint_id
					and token is null
					limit ${limit}
					for update skip locked
				) waiting
				limit ${limit}
			))
			returning event_id, endpoint_id, attempt - own_failures as attempt
		)
		insert into dead_deliveries (event_id, endpoint_id, attempt, error)
		select event_id, endpoint_id, attempt, 'endpoint_inactive'
		from ended
	`;
	return rows.count;
}

/** To active endpoints only, with a fresh schedule. */
export function redriveDeliveries(
	sql: Queryable,
	organizationId: string,
	limit: number,
): Promise<Target[]> {
	return sql<Target[]>`
		with redriven as (
			delete from dead_deliveries
			where ctid = any(array(
				select dead.row
				from endpoints e
				cross join lateral (
					select ctid as row, event_id
					from dead_deliveries
					where endpoint_id = e.id
					limit ${limit}
					for update skip locked
				) dead
				cross join lateral (
					select
					from events
					where id = dead.event_id
					limit 1
					for key share skip locked
				) kept
				where e.organization_id = ${organizationId}
				and e.status = 'active'
				limit ${limit}
			))
			returning event_id, endpoint_id
		)
		insert into delivery_queue (event_id, endpoint_id, is_repeated)
		select event_id, endpoint_id, true
		from redriven
		returning endpoint_id as "endpointId", ${organizationId} as "organizationId"
	`;
}

export async function countDeliveries(
	sql: Queryable,
	organizationId: string,
): Promise<Record<DeliveryStatus, number>> {
	const [row] = await sql<[{ total: number; pending: number; dead: number }]>`
		select
			(
				select coalesce(sum(endpoint_count), 0)
				from events
				where organization_id = ${organizationId}
			) as total,
			(
				select count(*)
				from endpoints e
				join delivery_queue q on q.endpoint_id = e.id
				where e.organization_id = ${organizationId}
			) as pending,
			(
				select count(*)
				from endpoints e
				join dead_deliveries d on d.endpoint_id = e.id
				where e.organization_id = ${organizationId}
			) as dead
	`;
	const { total, pending, dead } = row;
	return { pending, dead, delivered: total - pending - dead };
}

/** Keeps an event while the transaction lasts; false when the organization has no such delivery. */
export async function lockDelivery(
	sql: Tx,
	organizationId: string,
	{ eventId, endpointId }: DeliveryKey,
): Promise<boolean> {
	const rows = await sql`
		select
		from events
		where id = ${eventId}
		and organization_id = ${organizationId}
		and ${endpointId} = any(endpoint_ids)
		for key share
	`;
	return rows.count === 1;
}

/** Makes a delivery due, whatever became of it; one that is in flight is left alone. */
export async function queueAgain(
	sql: Tx,
	{ eventId, endpointId }: DeliveryKey,
): Promise<void> {
	await sql`
		insert into delivery_queue (event_id, endpoint_id, is_repeated)
		values (${eventId}, ${endpointId}, true)
		on conflict (event_id, endpoint_id) do update
		set due_at = now()
		where delivery_queue.token is null
	`;
	// A statement of its own: it sees the death that the insert waited for.
	await sql`
		delete from dead_deliveries
		where event_id = ${eventId}
		and endpoint_id = ${endpointId}
		and exists (
			select
			from delivery_queue
			where event_id = ${eventId}
			and (endpoint_id = ${endpointId}) is true
		)
	`;
}
