import { createHash } from "node:crypto";
import type { IHeaders, KafkaMessage, Message } from "kafkajs";
import { isUuid } from "../../runtime/ids.ts";
import type { BusEvent } from "../event-bus.ts";

const HEADERS = {
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

interface RecordPartition {
	readonly topic: string;
	readonly partition: number;
}

/** A record without an id gets one from its partition and offset, the same on every delivery. */
export function eventFromRecord(
	partition: RecordPartition,
	message: KafkaMessage,
): BusEvent {
	const headers = message.headers ?? {};
	const id = headerText(headers, HEADERS.id).toLowerCase();
	const traceparent = headerText(headers, HEADERS.traceparent);
	return {
		id: isUuid(id) ? id : recordId(partition, message.offset),
		topic: partition.topic,
		type: headerText(headers, HEADERS.type),
		key: message.key?.toString() ?? "",
		organizationId: headerText(headers, HEADERS.organizationId).toLowerCase(),
		payload: message.value ?? new Uint8Array(),
		...(traceparent === "" ? {} : { traceparent }),
	};
}

function headerText(headers: IHeaders, name: string): string {
	const value = headers[name];
	const first = Array.isArray(value) ? value[0] : value;
	return first?.toString() ?? "";
}

/** UUIDv8 (RFC 9562, section 5.8) over a record's partition and offset. */
function recordId(
	{ topic, partition }: RecordPartition,
	offset: string,
): string {
	const hex = createHash("sha256")
		.update(`${topic}/${partition}/${offset}`)
		.digest("hex");
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
