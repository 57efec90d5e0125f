import type { Queryable } from "@airtower/platform/database/database";
import {
	type Fence,
	isOwned,
	ownedRows,
} from "@airtower/platform/work/leased-queue";
import { deliveryQueue } from "./delivery-queue.ts";

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
