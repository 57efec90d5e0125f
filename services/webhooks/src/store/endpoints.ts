import type { Queryable, Tx } from "@airtower/platform/database/database";
import { deleteBatch } from "@airtower/platform/database/delete-batch";
import { isAfter, type RowKey } from "@airtower/platform/database/page";
import type {
	DisabledReason,
	EndpointStatus,
} from "../domain/endpoint-state.ts";

export interface EndpointRow {
	id: string;
	url: string;
	subscribedEvents: string[];
	status: EndpointStatus;
	disabledReason: DisabledReason | null;
	disabledAt: Date | null;
	createdAt: Date;
}

interface NewEndpoint {
	id: string;
	organizationId: string;
	url: string;
	subscribedEvents: readonly string[];
	secret: Uint8Array;
}

/** Other registrations of the organization wait until this transaction ends. */
export async function lockEndpoints(
	sql: Tx,
	organizationId: string,
): Promise<void> {
	await sql`
		select pg_advisory_xact_lock(hashtextextended('webhooks.endpoints ' || ${organizationId}, 0))
	`;
}

export async function countEndpoints(
	sql: Queryable,
	organizationId: string,
): Promise<number> {
	const [row] = await sql<{ count: number }[]>`
		select count(*)::int as count
		from endpoints
		where organization_id = ${organizationId}
		and status <> 'deleted'
	`;
	return row?.count ?? 0;
}

export async function insertEndpoint(
	sql: Tx,
	endpoint: NewEndpoint,
): Promise<EndpointRow> {
	const [row] = await sql<[EndpointRow]>`
		insert into endpoints (id, organization_id, url, subscribed_events, secret)
		values (
			${endpoint.id},
			${endpoint.organizationId},
			${endpoint.url},
			${endpoint.subscribedEvents},
			${endpoint.secret}
		)
		returning ${publicColumns(sql)}
	`;
	return row;
}

export function listEndpoints(
	sql: Queryable,
	organizationId: string,
	limit: number,
	after: RowKey | undefined,
): Promise<EndpointRow[]> {
	return sql<EndpointRow[]>`
		select ${publicColumns(sql)}
		from endpoints
		where organization_id = ${organizationId}
		and status <> 'deleted'
		${isAfter(sql, after)}
		order by created_at desc, id desc
		limit ${limit}
	`;
}

/** Undefined when the organization has no such endpoint. */
export async function findEndpointStatus(
	sql: Queryable,
	organizationId: string,
	id: string,
): Promise<EndpointStatus | undefined> {
	const [row] = await sql<{ status: EndpointStatus }[]>`
		select status
		from endpoints
		where id = ${id}
		and organization_id = ${organizationId}
		and status <> 'deleted'
	`;
	return row?.status;
}

interface EndpointChange {
	readonly url: string | undefined;
	/** None for those of before. */
	readonly subscribedEvents: readonly string[];
	readonly enable: boolean;
}

/** A new address starts without failures. Undefined when the organization has no such endpoint. */
export async function updateEndpoint(
	sql: Queryable,
	organizationId: string,
	id: string,
	{ url, subscribedEvents, enable }: EndpointChange,
): Promise<EndpointRow | undefined> {
	const events = subscribedEvents.length === 0 ? null : subscribedEvents;
	const [row] = await sql<EndpointRow[]>`
		update endpoints
		set
			url = coalesce(${url ?? null}, url),
			subscribed_events = coalesce(${events}::text[], subscribed_events)
			${enable || url !== undefined ? sql`, failures = 0, failing_since = null, last_failed_at = null` : sql``}
			${enable ? sql`, status = 'active', disabled_reason = null, disabled_at = null` : sql``}
		where id = ${id}
		and organization_id = ${organizationId}
		and status <> 'deleted'
		returning ${publicColumns(sql)}
	`;
	return row;
}

/** False when the organization has no such endpoint. */
export async function markEndpointDeleted(
	sql: Queryable,
	organizationId: string,
	id: string,
): Promise<boolean> {
	const rows = await sql`
		with deleted as (
			update endpoints
			set status = 'deleted', disabled_reason = null, disabled_at = null, deleted_at = now(), secret = ''
			where id = ${id}
			and organization_id = ${organizationId}
			and status <> 'deleted'
			returning id
		),
		forgotten as (
			delete from retired_secrets
			where endpoint_id in (select id from deleted)
		)
		select
		from deleted
	`;
	return rows.count === 1;
}

export async function deleteOldEndpoints(
	sql: Queryable,
	days: number,
	limit: number,
): Promise<number> {
	const isOld = sql`deleted_at < now() - ${days} * interval '1 day'`;
	return deleteBatch(sql, "endpoints", isOld, limit);
}

export function publicColumns(sql: Queryable) {
	return sql`
		id,
		url,
		subscribed_events as "subscribedEvents",
		status,
		disabled_reason as "disabledReason",
		disabled_at as "disabledAt",
		created_at as "createdAt"
	`;
}
