import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import { claimDue } from "@airtower/platform/work/claim-due";
import type { Fence, LeasedQueue } from "@airtower/platform/work/leased-queue";
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
