import type { BusEvent } from "../event-bus.ts";

/** Broker's limit on one record batch (`message.max.bytes`, 1 MiB by default) with room for its frame. */
const MAX_SEND_BYTES = 1_030_000;
const RECORD_OVERHEAD_BYTES = 250;

/** The records of one partition travel as one batch, which the broker refuses when it is too big. */
export function splitBySize(events: readonly BusEvent[]): BusEvent[][] {
	const parts: BusEvent[][] = [];
	let room = 0;
	for (const event of events) {
		const size = sizeOf(event);
		if (size > room) {
			parts.push([]);
			room = MAX_SEND_BYTES;
		}
		parts.at(-1)?.push(event);
		room -= size;
	}
	return parts;
}

function sizeOf({ key, type, payload }: BusEvent): number {
	return (
		payload.byteLength +
		Buffer.byteLength(key) +
		Buffer.byteLength(type) +
		RECORD_OVERHEAD_BYTES
	);
}
