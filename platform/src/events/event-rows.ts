import type { Queryable } from "../database/database.ts";
import { unnest } from "../database/unnest.ts";
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
