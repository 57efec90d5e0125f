import type { Queryable } from "@airtower/platform/database/database";
import type { RowKey } from "@airtower/platform/database/page";
import type { DeliveryKey, DeliveryStatus } from "./deliveries.ts";
import { SILENT_STATUS } from "./settlements.ts";

/** Most events that one page looks at: those of an organization need not go to the endpoint. */
const MAX_SCANNED = 5_000;

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

/** Of any organization: for admins. */
export function listDeliveriesOfMessage(
	sql: Queryable,
	messageId: string,
): Promise<DeliveryRow[]> {
	return sql<DeliveryRow[]>`
		select ${deliveryColumns(sql)}
		from (
			select events.*, endpoint.id as endpoint_id
			from events
			cross join lateral unnest(endpoint_ids) as endpoint (id)
			where message_id = ${messageId}
		) e
		${deliveryStates(sql)}
		order by e.id, e.endpoint_id
	`;
}

export async function findDelivery(
	sql: Queryable,
	organizationId: string,
	{ eventId, endpointId }: DeliveryKey,
): Promise<DeliveryRow | undefined> {
	const [row] = await sql<DeliveryRow[]>`
		select ${deliveryColumns(sql)}
		from (
			select *, ${endpointId}::uuid as endpoint_id
			from events
			where id = ${eventId}
			and organization_id = ${organizationId}
			and ${endpointId} = any(endpoint_ids)
		) e
		${deliveryStates(sql)}
	`;
	return row;
}

export interface DeliveryPage {
	readonly endpointId: string;
	/** All when absent. */
	readonly status: DeliveryStatus | undefined;
	/** The event after which the page begins. */
	readonly after: string | undefined;
	readonly limit: number;
}

/** Newest first. May bring fewer than `limit` before the last page: then it goes on after {@link findScanEnd}. */
export function listEndpointDeliveries(
	sql: Queryable,
	organizationId: string,
	page: DeliveryPage,
): Promise<DeliveryRow[]> {
	const { endpointId, status, limit } = page;
	const events =
		status === "dead"
			? deadEvents(sql, organizationId, page)
			: newestEvents(sql, organizationId, page);
	return sql<DeliveryRow[]>`
		select ${deliveryColumns(sql)}
		from (
			select found.*, ${endpointId}::uuid as endpoint_id
			from (${events}) found
			where ${endpointId} = any(found.endpoint_ids)
		) e
		${deliveryStates(sql)}
		where true
		${status === "pending" ? sql`and q.event_id is not null` : sql``}
		${status === "delivered" ? sql`and q.event_id is null and d.event_id is null` : sql``}
		order by e.id desc
		limit ${limit}
	`;
}

/** The last event that a page looked at; undefined when it saw all there are. */
export async function findScanEnd(
	sql: Queryable,
	organizationId: string,
	{ status, after }: DeliveryPage,
): Promise<RowKey | undefined> {
	if (status === "dead") return undefined;
	const [row] = await sql<{ id: string; createdAt: Date }[]>`
		select id, created_at as "createdAt"
		from events
		where organization_id = ${organizationId}
		${after === undefined ? sql`` : sql`and id < ${after}`}
		order by id desc
		offset ${MAX_SCANNED - 1}
		limit 1
	`;
	return row;
}

function newestEvents(
	sql: Queryable,
	organizationId: string,
	{ after }: DeliveryPage,
) {
	return sql`
		select *
		from events
		where organization_id = ${organizationId}
		${after === undefined ? sql`` : sql`and id < ${after}`}
		order by id desc
		limit ${MAX_SCANNED}
	`;
}

function deadEvents(
	sql: Queryable,
	organizationId: string,
	{ endpointId, after, limit }: DeliveryPage,
) {
	return sql`
		select event.*
		from (
			select event_id
			from dead_deliveries
			where endpoint_id = ${endpointId}
			${after === undefined ? sql`` : sql`and event_id < ${after}`}
			order by event_id desc
			limit ${limit}
		) dead
		cross join lateral (
			select *
			from events
			where id = dead.event_id
			and organization_id = ${organizationId}
			limit 1
		) event
	`;
}

function deliveryColumns(sql: Queryable) {
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
 * Where the deliveries `e` stand. What is neither queued nor dead was delivered, at once if the log is silent. `is true`
 * keeps the planner from the index of endpoints, which reads all of a queue.
 */
function deliveryStates(sql: Queryable) {
	return sql`
		left join lateral (
			select event_id, attempt, token, due_at
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
