/** One event as it travels: where it goes, what it is about, and its payload. */
export interface BusEvent {
	/** UUID; the same on every delivery of this event. */
	readonly id: string;
	readonly topic: string;
	/** Kind of event within the topic. */
	readonly type: string;
	/** Events with one key are delivered in the order of their publishing. */
	readonly key: string;
	readonly organizationId: string;
	/** Protobuf message of the topic, at most {@link MAX_PAYLOAD_BYTES}. */
	readonly payload: Uint8Array;
	/** W3C trace context of the work that caused the event. */
	readonly traceparent?: string;
}

export interface SubscribeOptions {
	/** Each group gets every event; the members of one group share them. */
	readonly group: string;
	readonly topics: readonly string[];
	/**
	 * A group of this subscription alone, gone with its process; it begins with what comes.
	 * A durable group that is new begins with what the bus still holds.
	 */
	readonly ephemeral?: boolean;
	/**
	 * Takes events, at most {@link MAX_BATCH_EVENTS}. Resolves when they are dealt with; the group then
	 * moves on. Rejects to get the same events again after a pause. An event may come more than once,
	 * and calls for different keys may overlap.
	 */
	readonly onBatch: (events: BusEvent[]) => Promise<void>;
}

export interface Subscription {
	/** Ends the subscription once its batch in flight is over. A durable group keeps its place. */
	close(): Promise<void>;
}

/** The port to whatever carries events between services: at least once, in order per key. */
export interface EventBus {
	/** Resolves when all events are stored safely. When it rejects, some may have been; publish all again. */
	publish(events: readonly BusEvent[]): Promise<void>;
	/**
	 * Resolves once the group has its place: nothing published from then on escapes it.
	 * Waits for a bus that cannot be reached; rejects when the bus is closed meanwhile.
	 */
	subscribe(options: SubscribeOptions): Promise<Subscription>;
	/** Creates the topics that do not exist. */
	ensureTopics(topics: readonly string[]): Promise<void>;
	health(): Promise<"ok" | "unreachable">;
	/** Closes all subscriptions and connections. */
	close(): Promise<void>;
}

/** Largest payload, bytes: with headers and key it stays within Kafka's default record limit of 1 MiB. */
export const MAX_PAYLOAD_BYTES = 1_000_000;
/** Most events that one call of onBatch gets. */
export const MAX_BATCH_EVENTS = 500;

/** Throws RangeError for a payload over {@link MAX_PAYLOAD_BYTES}, which no bus would take. */
export function assertPublishable(events: readonly BusEvent[]): void {
	for (const { id, topic, payload } of events) {
		if (payload.byteLength > MAX_PAYLOAD_BYTES)
			throw new RangeError(
				`Event ${id} of ${topic} has ${payload.byteLength} bytes; the limit is ${MAX_PAYLOAD_BYTES}.`,
			);
	}
}
