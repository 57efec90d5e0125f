import { ConfigError } from "../runtime/config.ts";
import type { Logger } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { EventBus } from "./event-bus.ts";
import { createKafkaEventBus } from "./kafka/event-bus.ts";
import { createPostgresEventBus } from "./postgres/event-bus.ts";

export interface EventBusSettings {
	readonly kind: "postgres" | "kafka";
	/** Kafka's bootstrap addresses, `host:port`; needed for `kafka`. */
	readonly brokers?: readonly string[] | undefined;
	/** Database that holds the bus; needed for `postgres`. */
	readonly databaseUrl?: string | undefined;
	/** Name of this process in the broker's or database's records. */
	readonly clientId: string;
	readonly log: Logger;
	readonly metrics: Metrics;
	/** Called when this process can no longer consume; by default it ends with an uncaught error. */
	readonly onFatal?: (error: Error) => void;
}

/** Opens the event bus that the settings name. Throws {@link ConfigError} when its address is missing. */
export async function createEventBus(
	settings: EventBusSettings,
): Promise<EventBus> {
	if (settings.kind === "postgres") {
		const databaseUrl = settings.databaseUrl;
		if (databaseUrl === undefined)
			throw new ConfigError(
				"BUS_DATABASE_URL is missing: EVENT_BUS=postgres needs the database of the event bus.",
			);
		return createPostgresEventBus({ ...settings, databaseUrl });
	}
	const brokers = settings.brokers ?? [];
	if (brokers.length === 0)
		throw new ConfigError(
			"KAFKA_BROKERS is missing: EVENT_BUS=kafka needs the brokers' addresses.",
		);
	const onFatal = settings.onFatal ?? endProcess(settings.log);
	return createKafkaEventBus({ ...settings, brokers, onFatal });
}

/** Thrown outside of every promise: it ends the process, whose supervisor starts it anew. */
function endProcess(log: Logger): (error: Error) => void {
	return (error) => {
		log.fatal({ err: error }, "the event bus cannot go on");
		setImmediate(() => {
			throw error;
		});
	};
}
