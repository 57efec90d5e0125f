import type { Logger } from "../runtime/log.ts";
import { type RetryLimits, retryDelay } from "../runtime/retry-delay.ts";
import { pause } from "../runtime/waiting.ts";

export interface BusEvent {
	/** UUID; the same on every delivery of this event. */
	readonly id: string;
	readonly topic: string;
	readonly type: string;
	/** Events with one key are delivered in the order of their publishing. */
	readonly key: string;
	readonly organizationId: string;
	readonly payload: Uint8Array;
	readonly traceparent?: string;
}

export interface SubscribeOptions {
	readonly group: string;
	readonly topics: readonly string[];
	/** A group of this subscription alone, gone with its process; it begins with what comes. */
	readonly ephemeral?: boolean;
	/** Batches begin at least so far apart, ms: events wait for others. The bus's own without it. */
	readonly lingerMs?: number | undefined;
	/** Resolves when the events are dealt with; rejects to get them again. Calls for different keys may overlap. */
	readonly onBatch: (events: BusEvent[]) => Promise<void>;
}

export interface Subscription {
	/** The offset of a durable group is stored. */
	close(): Promise<void>;
}

/** How far a group has come in one part of a topic; the numbers of a part only grow. */
export interface GroupPosition {
	/** A topic, or a partition of it. */
	readonly part: string;
	/** Up to here the group has dealt with it. */
	readonly reached: number;
	/** Up to here something is published. */
	readonly end: number;
}

/** The port to whatever carries events between services: at least once, in order per key. */
export interface EventBus {
	/** When it rejects, some may have been stored; publish all again. */
	publish(events: readonly BusEvent[]): Promise<void>;
	/** Resolves once it is settled where the group begins: nothing published from then on escapes it. */
	subscribe(options: SubscribeOptions): Promise<Subscription>;
	ensureTopics(topics: readonly string[]): Promise<void>;
	/** Of a durable group, in each part of these topics. Rejects while the bus is away. */
	findPositions(
		group: string,
		topics: readonly string[],
	): Promise<GroupPosition[]>;
	health(): Promise<"ok" | "unreachable">;
	close(): Promise<void>;
}

/** Bytes; with headers and key it stays within Kafka's default record limit of 1 MiB. */
export const MAX_PAYLOAD_BYTES = 1_000_000;
export const MAX_BATCH_EVENTS = 500;

export function assertPublishable(events: readonly BusEvent[]): void {
	for (const { id, topic, payload } of events) {
		if (payload.byteLength > MAX_PAYLOAD_BYTES)
			throw new RangeError(
				`Event ${id} of ${topic} has ${payload.byteLength} bytes; the limit is ${MAX_PAYLOAD_BYTES}.`,
			);
	}
}

interface Delivery {
	readonly group: string;
	readonly events: BusEvent[];
	readonly onBatch: (events: BusEvent[]) => Promise<void>;
	readonly signal: AbortSignal;
	readonly log: Logger;
	readonly onFailure?: () => void;
}

const RETRY: RetryLimits = { firstMs: 100, longestMs: 5_000 };

/** Hands a batch over until it is accepted; returns false when the signal ended the tries. */
export async function deliver(delivery: Delivery): Promise<boolean> {
	for (let failures = 0; !delivery.signal.aborted; ) {
		try {
			await delivery.onBatch(delivery.events);
			return true;
		} catch (error) {
			failures++;
			delivery.onFailure?.();
			delivery.log.warn(
				{ err: error, group: delivery.group, failures },
				"event batch refused; it will be tried again",
			);
			await pause(retryDelay(failures, RETRY), delivery.signal);
		}
	}
	return false;
}
