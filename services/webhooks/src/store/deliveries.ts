import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { DeliveryState } from "../domain/delivery-state.ts";
import type { Share } from "../domain/fair-share.ts";

/** An endpoint that may have deliveries due. */
export interface Target {
	endpointId: string;
	organizationId: string;
}

export interface NewDelivery extends Target {
	eventId: string;
}

/** Queues deliveries, due at once; one that is there already is left as it is. */
export async function insertDeliveries(
	sql: Tx,
	deliveries: readonly NewDelivery[],
): Promise<void> {
	await sql`
		insert into deliveries (event_id, endpoint_id, organization_id, due_at)
		select event_id, endpoint_id, organization_id, now()
		from unnest(
			${deliveries.map((delivery) => delivery.eventId)}::uuid[],
			${deliveries.map((delivery) => delivery.endpointId)}::uuid[],
			${deliveries.map((delivery) => delivery.organizationId)}::uuid[]
		) as fresh (event_id, endpoint_id, organization_id)
		on conflict do nothing
	`;
}

/** A delivery that this process may attempt until its lease ends. */
export interface ClaimedDelivery {
	eventId: string;
	endpointId: string;
	leaseToken: string;
	/** Number of this attempt, from 1. */
	attempt: number;
	body: string;
	occurredAt: Date;
}

/**
 * Walks the heads of the endpoints' queues from index entry to index entry, so its cost grows with
 * the number of queues and not with their length.
 */
function queueHeads(sql: Queryable) {
	return sql`
		with recursive head as (
			(
				select endpoint_id, due_at
				from deliveries
				where state = 'pending'
				order by endpoint_id, due_at
				limit 1
			)
			union all
			select next.endpoint_id, next.due_at
			from head
			cross join lateral (
				select d.endpoint_id, d.due_at
				from deliveries d
				where d.state = 'pending'
				and d.endpoint_id > head.endpoint_id
				order by d.endpoint_id, d.due_at
				limit 1
			) next
		)
	`;
}

/** Active endpoints with a delivery that is due. */
export function findDueEndpoints(sql: Queryable): Promise<Target[]> {
	return sql<Target[]>`
		${queueHeads(sql)}
		select e.id as "endpointId", e.organization_id as "organizationId"
		from head
		join endpoints e on e.id = head.endpoint_id
		where head.due_at <= now()
		and e.status = 'active'
	`;
}

/**
 * Leases up to `slots` due deliveries of each endpoint, longest due first. Rows that another process
 * is claiming are passed over.
 */
export function claimDeliveries(
	sql: Queryable,
	shares: readonly Share[],
	leaseToken: string,
	leaseMs: number,
): Promise<ClaimedDelivery[]> {
	return sql<ClaimedDelivery[]>`
		with picked as materialized (
			select due.event_id, due.endpoint_id
			from unnest(
				${shares.map((share) => share.endpointId)}::uuid[],
				${shares.map((share) => share.slots)}::int[]
			) share (endpoint_id, slots)
			cross join lateral (
				select d.event_id, d.endpoint_id
				from deliveries d
				where d.endpoint_id = share.endpoint_id
				and d.state = 'pending'
				and d.due_at <= now()
				order by d.due_at
				limit share.slots
				for update skip locked
			) due
		),
		claimed as (
			update deliveries d
			set
				state = 'sending',
				attempt = d.attempt + 1,
				due_at = null,
				lease_token = ${leaseToken},
				lease_until = now() + ${leaseMs} * interval '1 millisecond'
			from picked
			where d.event_id = picked.event_id
			and d.endpoint_id = picked.endpoint_id
			returning d.event_id, d.endpoint_id, d.lease_token, d.attempt
		)
		select
			claimed.event_id as "eventId",
			claimed.endpoint_id as "endpointId",
			claimed.lease_token as "leaseToken",
			claimed.attempt,
			events.body,
			events.occurred_at as "occurredAt"
		from claimed
		join events on events.id = claimed.event_id
	`;
}

/** The end of one attempt. */
export interface Settlement {
	eventId: string;
	endpointId: string;
	leaseToken: string;
	attempt: number;
	state: "pending" | "delivered" | "dead";
	/** Wait before the next attempt, ms; null when there is none. */
	delayMs: number | null;
	httpStatus: number | null;
	error: string | null;
	/** Duration of the attempt, ms. */
	durationMs: number;
}

/**
 * Ends attempts and logs them. A row whose lease went to somebody else, or ended, is left alone:
 * the answer holds the ids (`event endpoint`) of those that were settled. Only a row that is being
 * sent has a token; to name its state as well would lead the planner to the index of leases, which
 * it believes to be empty.
 */
export async function settleDeliveries(
	sql: Queryable,
	settlements: readonly Settlement[],
): Promise<Set<string>> {
	const rows = await sql<{ eventId: string; endpointId: string }[]>`
		with outcome as materialized (
			select *
			from unnest(
				${settlements.map((row) => row.eventId)}::uuid[],
				${settlements.map((row) => row.endpointId)}::uuid[],
				${settlements.map((row) => row.leaseToken)}::uuid[],
				${settlements.map((row) => row.attempt)}::int[],
				${settlements.map((row) => row.state)}::text[],
				${settlements.map((row) => row.delayMs)}::float8[],
				${settlements.map((row) => row.httpStatus)}::int[],
				${settlements.map((row) => row.error)}::text[],
				${settlements.map((row) => row.durationMs)}::int[]
			) as o (event_id, endpoint_id, lease_token, attempt, state, delay_ms, http_status, error, duration_ms)
		),
		settled as (
			update deliveries d
			set
				state = o.state,
				due_at = now() + o.delay_ms * interval '1 millisecond',
				lease_token = null,
				lease_until = null,
				last_http_status = o.http_status,
				last_error = o.error
			from outcome o
			where d.event_id = o.event_id
			and d.endpoint_id = o.endpoint_id
			and d.lease_token = o.lease_token
			and d.attempt = o.attempt
			returning d.event_id, d.endpoint_id, d.attempt, d.last_http_status, d.last_error, o.duration_ms
		),
		logged as (
			insert into attempts (event_id, endpoint_id, attempt, http_status, error, duration_ms)
			select event_id, endpoint_id, attempt, last_http_status, last_error, duration_ms
			from settled
		)
		select event_id as "eventId", endpoint_id as "endpointId"
		from settled
	`;
	return new Set(rows.map(deliveryId));
}

/** Name of a delivery among all. */
export function deliveryId(row: {
	eventId: string;
	endpointId: string;
}): string {
	return `${row.eventId} ${row.endpointId}`;
}

/** Makes up to `limit` deliveries whose lease has ended due again; answers how many. */
export async function releaseExpiredLeases(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const rows = await sql`
		update deliveries d
		set state = 'pending', due_at = now(), lease_token = null, lease_until = null
		from (
			select event_id, endpoint_id
			from deliveries
			where state = 'sending'
			and lease_until < now()
			order by lease_until
			limit ${limit}
			for update skip locked
		) expired
		where d.event_id = expired.event_id
		and d.endpoint_id = expired.endpoint_id
	`;
	return rows.count;
}

/** True while an attempt to the endpoint holds an unexpired lease. */
export async function isBeingSentTo(
	sql: Queryable,
	endpointId: string,
): Promise<boolean> {
	const rows = await sql`
		select
		from deliveries
		where state = 'sending'
		and lease_until > now()
		and endpoint_id = ${endpointId}
		limit 1
	`;
	return rows.count > 0;
}

/** Ends up to `limit` deliveries to endpoints that are no longer active; answers how many. */
export async function markAbandonedDead(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const rows = await sql`
		${queueHeads(sql)},
		inactive as materialized (
			select head.endpoint_id
			from head
			join endpoints e on e.id = head.endpoint_id
			where e.status <> 'active'
		),
		abandoned as (
			select queued.event_id, queued.endpoint_id
			from inactive
			cross join lateral (
				select d.event_id, d.endpoint_id
				from deliveries d
				where d.endpoint_id = inactive.endpoint_id
				and d.state = 'pending'
				limit ${limit}
				for update skip locked
			) queued
			limit ${limit}
		)
		update deliveries d
		set state = 'dead', due_at = null, last_error = 'endpoint_inactive'
		from abandoned
		where d.event_id = abandoned.event_id
		and d.endpoint_id = abandoned.endpoint_id
	`;
	return rows.count;
}

/** Makes up to `limit` dead deliveries of active endpoints due again, with a fresh schedule. */
export async function redriveDeliveries(
	sql: Queryable,
	organizationId: string,
	limit: number,
): Promise<Target[]> {
	return sql<Target[]>`
		update deliveries d
		set state = 'pending', due_at = now(), attempt = 0
		from (
			select dead.event_id, dead.endpoint_id
			from deliveries dead
			join endpoints e on e.id = dead.endpoint_id
			where dead.organization_id = ${organizationId}
			and dead.state = 'dead'
			and e.status = 'active'
			limit ${limit}
			for update of dead skip locked
		) redriven
		where d.event_id = redriven.event_id
		and d.endpoint_id = redriven.endpoint_id
		returning d.endpoint_id as "endpointId", d.organization_id as "organizationId"
	`;
}

/** How many deliveries an organization has in each state. */
export async function countDeliveries(
	sql: Queryable,
	organizationId: string,
): Promise<{ state: DeliveryState; count: number }[]> {
	return sql<{ state: DeliveryState; count: number }[]>`
		select state, count(*)::int as count
		from deliveries
		where organization_id = ${organizationId}
		group by state
	`;
}

export interface DeliveryRow {
	eventId: string;
	endpointId: string;
	state: DeliveryState;
	attempt: number;
	lastHttpStatus: number | null;
	lastError: string | null;
	dueAt: Date | null;
}

/** Deliveries of the event of one message, of any organization: for operators only. */
export function listDeliveriesOfMessage(
	sql: Queryable,
	messageId: string,
): Promise<DeliveryRow[]> {
	return sql<DeliveryRow[]>`
		select
			d.event_id as "eventId",
			d.endpoint_id as "endpointId",
			d.state,
			d.attempt,
			d.last_http_status as "lastHttpStatus",
			d.last_error as "lastError",
			d.due_at as "dueAt"
		from events e
		join deliveries d on d.event_id = e.id
		where e.message_id = ${messageId}
		order by d.event_id, d.endpoint_id
	`;
}
