import type { Queryable } from "@airtower/platform/database/database";
import {
	type Fence,
	heldRows,
	isHeld,
} from "@airtower/platform/work/leased-queue";
import { deliveryQueue } from "./delivery-queue.ts";

/** The end of one attempt. */
export interface Settlement extends Fence<"eventId" | "endpointId"> {
	state: "pending" | "delivered" | "dead";
	/** Wait before the next attempt, ms; null when there is none. */
	delayMs: number | null;
	httpStatus: number | null;
	error: string | null;
	/** Duration of the attempt, ms. */
	durationMs: number;
}

/**
 * Ends attempts and returns the ids ({@link deliveryId}) of those that were settled: a delivery that others have
 * claimed since is left alone. A first attempt that succeeds is not logged, for that is what the log's silence means.
 */
export async function settleDeliveries(
	sql: Queryable,
	settlements: readonly Settlement[],
): Promise<Set<string>> {
	const held = heldRows(sql, deliveryQueue, settlements, {
		state: sql`${settlements.map((row) => row.state)}::text[]`,
		delay_ms: sql`${settlements.map((row) => row.delayMs)}::float8[]`,
		http_status: sql`${settlements.map((row) => row.httpStatus)}::int[]`,
		error: sql`${settlements.map((row) => row.error)}::text[]`,
		duration_ms: sql`${settlements.map((row) => row.durationMs)}::int[]`,
	});
	const rows = await sql<{ eventId: string; endpointId: string }[]>`
		with outcome as materialized (select * from ${held}),
		ended as (
			delete from delivery_queue as work
			using outcome as held
			where ${isOurs(sql)}
			and held.state <> 'pending'
			returning held.*
		),
		postponed as (
			update delivery_queue as work
			set token = null, due_at = now() + held.delay_ms * interval '1 millisecond'
			from outcome as held
			where ${isOurs(sql)}
			and held.state = 'pending'
			returning held.*
		),
		settled as (
			select * from ended
			union all
			select * from postponed
		),
		buried as (
			insert into dead_deliveries (event_id, endpoint_id, attempt, http_status, error)
			select event_id, endpoint_id, attempt, http_status, error
			from ended
			where state = 'dead'
		),
		logged as (
			insert into attempts (event_id, endpoint_id, attempt, http_status, error, duration_ms)
			select event_id, endpoint_id, attempt, http_status, error, duration_ms
			from settled
			where attempt > 1
			or state <> 'delivered'
		)
		select event_id as "eventId", endpoint_id as "endpointId"
		from settled
	`;
	return new Set(rows.map(deliveryId));
}

/**
 * The fence. It keeps the planner from the index of endpoints, which looks as good as the key while the queue is short
 * and reads all of an endpoint's queue when it is long.
 */
const isOurs = (sql: Queryable) => sql`
	${isHeld(sql, { ...deliveryQueue, key: { eventId: "event_id" } })}
	and (work.endpoint_id = held.endpoint_id) is true
`;

/** Name of a delivery among all. */
export function deliveryId(row: {
	eventId: string;
	endpointId: string;
}): string {
	return `${row.eventId} ${row.endpointId}`;
}
