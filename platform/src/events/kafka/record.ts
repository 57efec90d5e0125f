import type { Message } from "kafkajs";
import type { BusEvent } from "../event-bus.ts";

export const HEADERS = {
	id: "event-id",
	type: "event-type",
	organizationId: "organization-id",
	traceparent: "traceparent",
} as const;

export function toRecord(event: BusEvent): Message {
	return {
		key: event.key,
		value: Buffer.from(event.payload),
		headers: {
			[HEADERS.id]: event.id,
			[HEADERS.type]: event.type,
			[HEADERS.organizationId]: event.organizationId,
			...(event.traceparent === undefined
				? {}
				: { [HEADERS.traceparent]: event.traceparent }),
		},
	};
}
