import type postgres from "postgres";
import { byIndex } from "../database/by-index.ts";
import type { Queryable } from "../database/database.ts";
import { unnest } from "../database/unnest.ts";
import type { BusEvent } from "./event-bus.ts";

/** An event as the tables outbox, events and dead_letters store it. */
export interface EventRow extends Omit<BusEvent, "traceparent"> {
	readonly traceparent: string | null;
}

export function eventColumns(sql: Queryable) {
	return sql`event_id, topic, type, key, organization_id, payload, traceparent`;
}

export function selectEvent(sql: Queryable) {
	return sql`
		event_id as id, topic, type, key, organization_id as "organizationId", payload, traceparent
	`;
}

/** With their index in the list, from 1, as `ordinal`. */
export function eventTable(sql: Queryable, events: readonly BusEvent[]) {
	const columns = {
		id: "uuid",
		topic: "text",
		type: "text",
		key: "text",
		organizationId: "text",
		payload: "bytea",
		traceparent: "text",
	} as const;
	const names = { id: "event_id" };
	return unnest(sql, events, columns, {
		as: "event",
		ordinal: "ordinal",
		names,
	});
}

export function toEvent(row: EventRow): BusEvent {
	const { id, topic, type, key, organizationId, payload, traceparent } = row;
	const event = { id, topic, type, key, organizationId, payload };
	return traceparent === null ? event : { ...event, traceparent };
}

const MAX_BATCH_BYTES = 8_000_000;

export interface PositionedEvent {
	readonly position: number;
	readonly event: BusEvent;
}

/** The first rows of a query, about 8 MB of them, one at least. */
export async function findFirstBytes(
	sql: Queryable,
	oldest: postgres.Fragment,
): Promise<PositionedEvent[]> {
	const rows = await byIndex(
		sql,
		(sql) => sql<(EventRow & { position: number })[]>`
		select position, ${selectEvent(sql)}
		from (
			select *, sum(octet_length(payload)) over (order by position) as bytes
			from (${oldest}) as oldest
		) as measured
		where bytes - octet_length(payload) < ${MAX_BATCH_BYTES}
		order by position
	`,
	);
	return rows.map((row) => ({ position: row.position, event: toEvent(row) }));
}
