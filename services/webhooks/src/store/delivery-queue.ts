import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import {
	claimDue,
	type Fence,
	isOwned,
	type LeasedQueue,
	ownedRows,
} from "@airtower/platform/work/leased-queue";
import type { Share } from "../domain/fair-share.ts";

export const deliveryQueue: LeasedQueue<"eventId" | "endpointId"> = {
	table: "delivery_queue",
	key: { eventId: "event_id", endpointId: "endpoint_id" },
	group: "endpoint_id",
};

export interface Target {
	endpointId: string;
	organizationId: string;
}

/** Claims count from 1, as `attempt`. */
export interface ClaimedDelivery extends Fence<"eventId" | "endpointId"> {
	/** Claims among them that ended by a failure of the deployment. */
	ownFailures: number;
	/** By the database's clock: that of a process may be wrong. */
	claimedAt: Date;
	body: string;
	occurredAt: Date;
	/** Null for an event that is not traced. */
	traceparent: string | null;
}

/** Among them are all that are being sent: more than processes can have in flight. */
const HEAD_ROWS = 2_000;

/** Endpoints that have a queue, by one index search for each, however long it is. */
export const queuedEndpoints = (sql: Queryable) => sql`
	with recursive queued as (
		(
			select endpoint_id
			from delivery_queue
			order by endpoint_id
			limit 1
		)
		union all
		select next.endpoint_id
		from queued
		cross join lateral (
			select endpoint_id
			from delivery_queue
			where endpoint_id > queued.endpoint_id
			order by endpoint_id
			limit 1
		) next
	)
`;

export function findDueEndpoints(
	sql: Queryable,
	limit: number,
): Promise<Target[]> {
	return sql<Target[]>`
		${queuedEndpoints(sql)}
		select queued.endpoint_id as "endpointId", owner.organization_id as "organizationId"
		from queued
		cross join lateral (
			select organization_id
			from endpoints
			where id = queued.endpoint_id
			and status = 'active'
			limit 1
		) owner
		cross join lateral (
			select
			from delivery_queue
			where endpoint_id = queued.endpoint_id
			and due_at <= now()
			and token is null
			limit 1
		) due
		limit ${limit}
	`;
}

/** Longest due first; claims nothing once the lease is lost. */
export function claimDeliveries(
	sql: Queryable,
	shares: readonly Share[],
	token: string,
): Promise<ClaimedDelivery[]> {
	const groups = sql`(
		select endpoint_id as id, slots as share, nth
		from ${unnest(sql, shares, { endpointId: "uuid", slots: "integer" }, { ordinal: "nth" })}
	)`;
	const limit = shares.reduce((sum, { slots }) => sum + slots, 0);
	return byIndex(
		sql,
		(sql) => sql<ClaimedDelivery[]>`
		with claimed as (${claimDue(sql, deliveryQueue, { token, groups, limit })})
		select
			claimed.event_id as "eventId",
			claimed.endpoint_id as "endpointId",
			claimed.token,
			claimed.attempt,
			claimed.own_failures as "ownFailures",
			now() as "claimedAt",
			events.body,
			events.occurred_at as "occurredAt",
			events.traceparent
		from claimed
		join events on events.id = claimed.event_id
	`,
	);
}

export async function isBeingSentTo(
	sql: Queryable,
	endpointId: string,
): Promise<boolean> {
	const rows = await byIndex(
		sql,
		(sql) => sql`
		select
		from (
			select token
			from delivery_queue
			where endpoint_id = ${endpointId}
			order by due_at
			limit ${HEAD_ROWS}
		) head
		join leases on leases.token = head.token
		limit 1
	`,
	);
	return rows.length > 0;
}

export interface Settlement extends Fence<"eventId" | "endpointId"> {
	state: "pending" | "delivered" | "dead";
	delayMs: number | null;
	/** Where it was sent; null when nothing was. */
	url: string | null;
	httpStatus: number | null;
	error: string | null;
	/** The failure is the deployment's: the schedule does not advance. */
	isOwnFailure: boolean;
	durationMs: number;
}

/** A first attempt that succeeds with this status is not logged: that is what the log's silence means. */
export const SILENT_STATUS = 200;

/** Returns the ids of those that were settled. Of our own failures the first is logged: they may come for days. */
export async function settleDeliveries(
	sql: Queryable,
	settlements: readonly Settlement[],
): Promise<Set<string>> {
	const owned = ownedRows(sql, deliveryQueue, settlements, {
		state: "text",
		delayMs: "float8",
		httpStatus: "integer",
		error: "text",
		isOwnFailure: "boolean",
		durationMs: "integer",
	});
	const rows = await sql<{ eventId: string; endpointId: string }[]>`
		with outcome as materialized (select * from ${owned}),
		ended as (
			delete from delivery_queue as work
			using outcome as owned
			where ${isOurs(sql)}
			and owned.state <> 'pending'
			returning owned.*, work.is_repeated, work.own_failures
		),
		postponed as (
			update delivery_queue as work
			set
				token = null,
				due_at = now() + owned.delay_ms * interval '1 millisecond',
				own_failures = work.own_failures + owned.is_own_failure::integer
			from outcome as owned
			where ${isOurs(sql)}
			and owned.state = 'pending'
			returning owned.*, work.is_repeated, old.own_failures
		),
		settled as (
			select * from ended
			union all
			select * from postponed
		),
		buried as (
			insert into dead_deliveries (event_id, endpoint_id, attempt, http_status, error)
			select event_id, endpoint_id, attempt - own_failures, http_status, error
			from ended
			where state = 'dead'
		),
		logged as (
			insert into attempts (event_id, endpoint_id, attempt, http_status, error, duration_ms)
			select event_id, endpoint_id, attempt - own_failures, http_status, error, duration_ms
			from settled
			where not (is_own_failure and own_failures > 0)
			and (
				attempt > 1
				or state <> 'delivered'
				or http_status <> ${SILENT_STATUS}
				or is_repeated
			)
		)
		select event_id as "eventId", endpoint_id as "endpointId"
		from settled
	`;
	return new Set(rows.map(deliveryId));
}

/** The fence. It keeps the planner from the index of endpoints, which reads all of a queue once it is long. */
const isOurs = (sql: Queryable) => sql`
	${isOwned(sql, { ...deliveryQueue, key: { eventId: "event_id" } })}
	and (work.endpoint_id = owned.endpoint_id) is true
`;

export function deliveryId(row: {
	eventId: string;
	endpointId: string;
}): string {
	return `${row.eventId} ${row.endpointId}`;
}
