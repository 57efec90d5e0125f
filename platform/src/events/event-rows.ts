import { BYTEA_ARRAY, type Queryable } from "../database/database.ts";
import type { BusEvent } from "./event-bus.ts";

/** An event as the tables outbox, events and dead_letters hold it. */
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

/** With their place in the list as `ordinal`. */
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
