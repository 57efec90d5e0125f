import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";
import type { RowKey } from "@airtower/platform/database/page";
import type { DeliveryKey, DeliveryStatus } from "./deliveries.ts";
import {
	type DeliveryRow,
	deliveryColumns,
	deliveryStates,
} from "./delivery-rows.ts";

/** Most events that one page looks at: those of an organization need not go to the endpoint. */
const MAX_SCANNED = 5_000;

/** @param organizationId "*" for admins */
export function listDeliveriesOfMessage(
	sql: Queryable,
	organizationId: string,
	messageId: string,
): Promise<DeliveryRow[]> {
	return sql<DeliveryRow[]>`
		select ${deliveryColumns(sql)}
		from (
			select events.*, endpoint.id as endpoint_id
			from events
			cross join lateral unnest(endpoint_ids) as endpoint (id)
			where message_id = ${messageId}
			and ${organizationId} in ('*', organization_id::text)
		) e
		${deliveryStates(sql)}
		order by e.id, e.endpoint_id
	`;
}

interface OldestDeliveryRow extends DeliveryRow {
	organizationId: string;
	/** Null when the endpoint was deleted. */
	url: string | null;
}

/** Of what waits, at most so many are looked at for those of one organization. */
const MAX_OLDEST_SCANNED = 500;

/**
 * The oldest events that wait, first.
 * @param organizationId "*" for all
 */
export function listOldestDeliveries(
	sql: Queryable,
	organizationId: string,
	limit: number,
): Promise<OldestDeliveryRow[]> {
	return byIndex(
		sql,
		(sql) => sql<OldestDeliveryRow[]>`
		select
			${deliveryColumns(sql)},
			e.organization_id as "organizationId",
			(select url from endpoints where endpoints.id = e.endpoint_id) as url
		from (
			select event.*, waiting.endpoint_id
			from (
				select event_id, endpoint_id
				from delivery_queue
				order by event_id
				limit ${MAX_OLDEST_SCANNED}
			) as waiting
			cross join lateral (
				select *
				from events
				where id = waiting.event_id
				limit 1
			) as event
			where ${organizationId} in ('*', event.organization_id::text)
			order by event.id
			limit ${limit}
		) e
		${deliveryStates(sql)}
		order by e.id, e.endpoint_id
	`,
	);
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

interface DeliveryPage {
	readonly endpointId: string;
	/** All when absent. */
	readonly status: DeliveryStatus | undefined;
	/** The event after which the page begins. */
	readonly after: string | undefined;
	/** The last event that is looked at: where the scan ends, by {@link findScanEnd}. */
	readonly end: string | undefined;
	readonly limit: number;
}

/** Newest first. May bring fewer than `limit` before the last page: then it goes on after the end of its scan. */
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

/**
 * The last event that a page is to look at; undefined when it looks at all there are. Events that come before the page
 * is read move nothing: what is behind this one is the next page's.
 */
export async function findScanEnd(
	sql: Queryable,
	organizationId: string,
	{ status, after }: Omit<DeliveryPage, "end">,
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
	{ after, end }: DeliveryPage,
) {
	return sql`
		select *
		from events
		where organization_id = ${organizationId}
		${after === undefined ? sql`` : sql`and id < ${after}`}
		${end === undefined ? sql`` : sql`and id >= ${end}`}
		order by id desc
		limit ${2 * MAX_SCANNED}
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
