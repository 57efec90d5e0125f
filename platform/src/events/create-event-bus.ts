import { ConfigError } from "../runtime/config.ts";
import type { Logger } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { EventBus } from "./event-bus.ts";
import { type KafkaAccessSettings, readKafkaAccess } from "./kafka/access.ts";
import { createPostgresEventBus } from "./postgres/event-bus.ts";

interface EventBusSettings {
	readonly kind: "postgres" | "kafka";
	readonly brokers?: readonly string[] | undefined;
	readonly access?: KafkaAccessSettings;
	readonly databaseUrl?: string | undefined;
	readonly clientId: string;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly onFatal?: (error: Error) => void;
}

/**
 * Opens the event bus that the settings name; without Kafka its client, a tenth of all modules of a service, is not
 * loaded. Throws {@link ConfigError} when its address is missing.
 */
export async function createEventBus(
	settings: EventBusSettings,
): Promise<EventBus> {
	if (settings.kind === "postgres") {
		const { databaseUrl } = settings;
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
	const endProcess = (error: Error) => endWith(error, settings.log);
	const access = readKafkaAccess(settings.access ?? {});
	const { createKafkaEventBus } = await import("./kafka/event-bus.ts");
	return createKafkaEventBus({
		onFatal: endProcess,
		...settings,
		access,
		brokers,
	});
}

function endWith(error: Error, log: Logger): void {
	log.fatal({ err: error }, "the event bus cannot go on");
	setImmediate(() => {
		throw error;
	});
}
