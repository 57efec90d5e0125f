import { Kafka, type logCreator, logLevel } from "kafkajs";
import type { Logger } from "../../runtime/log.ts";
import { type KafkaAccess, openSocket } from "./access.ts";

interface KafkaClientSettings {
	readonly brokers: readonly string[];
	readonly access?: KafkaAccess;
	readonly clientId: string;
	readonly log: Logger;
}

const CONNECT_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** Tries of one request: about 6 s in all, then the caller decides. The library's own defaults differ under test. */
export const KAFKA_RETRY = {
	initialRetryTime: 100,
	maxRetryTime: 2_000,
	factor: 0.2,
	multiplier: 2,
	retries: 6,
};

export function createKafkaClient(settings: KafkaClientSettings): Kafka {
	const { ssl, sasl } = settings.access ?? {};
	return new Kafka({
		...(ssl && { ssl }),
		...(sasl && { sasl }),
		brokers: [...settings.brokers],
		clientId: settings.clientId,
		connectionTimeout: CONNECT_TIMEOUT_MS,
		requestTimeout: REQUEST_TIMEOUT_MS,
		retry: KAFKA_RETRY,
		socketFactory: openSocket,
		logLevel: logLevel.INFO,
		logCreator: logTo(settings.log),
	});
}

/** The broker has deleted what the group was to read next, by its retention. */
const DELETED_UNREAD = "Offset out of range, resetting";

/**
 * The library logs as errors what it is about to retry; what is final reaches us as a rejection or a crash, but for the
 * loss of records, after which it goes on.
 */
function logTo(log: Logger): logCreator {
	return () => (entry) => {
		const { groupId, topic, partition, error } = entry.log;
		// The library's types have a text here; once it gives an error itself.
		const message = String(entry.log.message);
		if (message.startsWith(DELETED_UNREAD))
			log.error(
				{ groupId, topic, partition },
				"events are lost: Kafka deleted them before the group had read them",
			);
		else log.debug({ kafka: entry.namespace, groupId, error }, message);
	};
}
