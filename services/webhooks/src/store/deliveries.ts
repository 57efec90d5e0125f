import type { Queryable } from "@airtower/platform/database/database";
import { queuedEndpoints, type Target } from "./delivery-queue.ts";
import { SILENT_STATUS } from "./settlements.ts";

export type DeliveryStatus = "pending" | "delivered" | "dead";

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
			returning event_id, endpoint_id, attempt
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
		insert into delivery_queue (event_id, endpoint_id)
		select event_id, endpoint_id
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

export interface DeliveryRow {
	eventId: string;
	endpointId: string;
	status: DeliveryStatus;
	attempt: number;
	/** Null when none came. */
	lastHttpStatus: number | null;
	lastError: string | null;
	dueAt: Date | null;
}

/** Of any organization: for admins. What is neither queued nor dead was delivered, at once if the log is silent. */
export function listDeliveriesOfMessage(
	sql: Queryable,
	messageId: string,
): Promise<DeliveryRow[]> {
	return sql<DeliveryRow[]>`
		select
			e.id as "eventId",
			endpoint.id as "endpointId",
			case
				when q.event_id is not null then 'pending'
				when d.event_id is not null then 'dead'
				else 'delivered'
			end as status,
			coalesce(q.attempt, d.attempt, last.attempt, 1) as attempt,
			coalesce(
				d.http_status,
				last.http_status,
				case when q.event_id is null and d.event_id is null then ${SILENT_STATUS}::int end
			) as "lastHttpStatus",
			coalesce(d.error, last.error) as "lastError",
			case when q.token is null then q.due_at end as "dueAt"
		from events e
		cross join lateral unnest(e.endpoint_ids) as endpoint (id)
		left join delivery_queue q on q.event_id = e.id and q.endpoint_id = endpoint.id
		left join dead_deliveries d on d.event_id = e.id and d.endpoint_id = endpoint.id
		left join lateral (
			select attempt, http_status, error
			from attempts
			where attempts.event_id = e.id
			and attempts.endpoint_id = endpoint.id
			order by attempts.id desc
			limit 1
		) last on (last.error is null) = (q.event_id is null)
		where e.message_id = ${messageId}
		order by e.id, endpoint.id
	`;
}
