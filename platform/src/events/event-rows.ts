import type postgres from "postgres";
import { BYTEA_ARRAY, type Queryable } from "../database/database.ts";
import type { BusEvent } from "./event-bus.ts";

/** An event of the outbox or the bus, with its place in the order. */
export interface PlacedEvent {
	readonly position: number;
	readonly event: BusEvent;
}

/** Payload bytes of one batch, besides the last event's. */
const MAX_BATCH_BYTES = 8_000_000;

/** An event as the tables outbox, events and dead_letters hold it. */
export interface EventRow extends Omit<BusEvent, "traceparent"> {
	readonly traceparent: string | null;
}

/** The columns of {@link EventRow}, to insert into. */
export function eventColumns(sql: Queryable) {
	return sql`event_id, topic, type, key, organization_id, payload, traceparent`;
}

/** The same columns, to select. */
export function selectEvent(sql: Queryable) {
	return sql`
		event_id as id, topic, type, key, organization_id as "organizationId", payload, traceparent
	`;
}

/** A table of the events for a from clause: {@link eventColumns}, then their place in the list as `ordinal`. */
export function eventTable(sql: Queryable, events: readonly BusEvent[]) {
	return sql`
		unnest(
			${events.map((event) => event.id)}::uuid[],
			${events.map((event) => event.topic)}::text[],
			${events.map((event) => event.type)}::text[],
			${events.map((event) => event.key)}::text[],
			${events.map((event) => event.organizationId)}::text[],
			${sql.array(
				events.map((event) => Buffer.from(event.payload)),
				BYTEA_ARRAY,
			)}::bytea[],
			${events.map((event) => event.traceparent ?? null)}::text[]
		) with ordinality as event (
			event_id, topic, type, key, organization_id, payload, traceparent, ordinal
		)
	`;
}

export function toEvent(row: EventRow): BusEvent {
	const { id, topic, type, key, organizationId, payload, traceparent } = row;
	const event = { id, topic, type, key, organizationId, payload };
	return traceparent === null ? event : { ...event, traceparent };
}

/** The first rows of a query that selects rows with a position in its order: about 8 MB of them, one at least. */
export async function findFirstBytes(
	sql: Queryable,
	oldest: postgres.Fragment,
): Promise<PlacedEvent[]> {
	const rows = await sql<(EventRow & { position: number })[]>`
		select position, ${selectEvent(sql)}
		from (
			select *, sum(octet_length(payload)) over (order by position) as bytes
			from (${oldest}) as oldest
		) as measured
		where bytes - octet_length(payload) < ${MAX_BATCH_BYTES}
		order by position
	`;
	return rows.map((row) => ({ position: row.position, event: toEvent(row) }));
}
