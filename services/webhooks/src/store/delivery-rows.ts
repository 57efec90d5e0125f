import type { Queryable } from "@airtower/platform/database/database";
import type { DeliveryStatus } from "./deliveries.ts";
import { SILENT_STATUS } from "./delivery-queue.ts";

export interface DeliveryRow {
	eventId: string;
	endpointId: string;
	type: string;
	messageId: string | null;
	status: DeliveryStatus;
	attempt: number;
	/** Null when none came. */
	lastHttpStatus: number | null;
	lastError: string | null;
	dueAt: Date | null;
	createdAt: Date;
}

/** Of deliveries `e` with their {@link deliveryStates}. */
export function deliveryColumns(sql: Queryable) {
	return sql`
		e.id as "eventId",
		e.endpoint_id as "endpointId",
		e.type,
		e.message_id as "messageId",
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
		case when q.token is null then q.due_at end as "dueAt",
		e.created_at as "createdAt"
	`;
}

/**
 * Where the deliveries `e` stand. What is neither queued nor dead was delivered, at once if the log is silent.
 * `is true` keeps the planner from the index of endpoints, which reads all of a queue.
 */
export function deliveryStates(sql: Queryable) {
	return sql`
		left join lateral (
			select event_id, attempt - own_failures as attempt, token, due_at
			from delivery_queue
			where event_id = e.id
			and (endpoint_id = e.endpoint_id) is true
			limit 1
		) q on true
		left join lateral (
			select event_id, attempt, http_status, error
			from dead_deliveries
			where event_id = e.id
			and endpoint_id = e.endpoint_id
			limit 1
		) d on true
		left join lateral (
			select attempt, http_status, error
			from attempts
			where attempts.event_id = e.id
			and attempts.endpoint_id = e.endpoint_id
			order by attempts.id desc
			limit 1
		) last on (last.error is null) = (q.event_id is null)
	`;
}
