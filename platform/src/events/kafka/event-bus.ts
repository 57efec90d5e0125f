import type { Admin } from "kafkajs";
import { closeAll } from "../../runtime/lifecycle.ts";
import type { Logger } from "../../runtime/log.ts";
import type { Metrics } from "../../runtime/metrics.ts";
import type { EventBus, Subscription } from "../event-bus.ts";
import { healthOf } from "../health.ts";
import type { KafkaAccess } from "./access.ts";
import { createKafkaClient } from "./client.ts";
import { isInTime } from "./close.ts";
import { findOffsets } from "./offsets.ts";
import { createKafkaPublisher } from "./publisher.ts";
import { subscribeToKafka } from "./subscription.ts";
import { createTopicKeeper } from "./topics.ts";

export interface KafkaBusSettings {
	readonly brokers: readonly string[];
	readonly access?: KafkaAccess;
	readonly clientId: string;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly onFatal: (error: Error) => void;
	/** Partitions of a topic that is new; default 12. */
	readonly partitions?: number;
	/** Copies of a topic that is new; default -1, the broker's own default. */
	readonly replicationFactor?: number;
	readonly sessionTimeoutMs?: number;
	readonly stallTimeoutMs?: number;
}

const DEFAULTS = {
	partitions: 12,
	replicationFactor: -1,
	sessionTimeoutMs: 10_000,
	stallTimeoutMs: 60_000,
};
const DISCONNECT_WAIT_MS = 500;

/** The event bus over Kafka. Nothing is dialled before the first call; a lost broker is dialled again. */
export function createKafkaEventBus(given: KafkaBusSettings): EventBus {
	const settings = { ...DEFAULTS, ...given };
	const kafka = createKafkaClient(settings);
	const admin = kafka.admin();
	const closing = new AbortController();
	const subscriptions = new Set<Subscription>();
	const topics = createTopicKeeper(admin, settings);
	const publisher = createKafkaPublisher({ ...settings, kafka, topics });
	return {
		publish: publisher.publish,
		ensureTopics: topics.ensure,
		subscribe: async (options) => {
			const subscription = await subscribeToKafka(
				{ ...settings, kafka, admin, topics, signal: closing.signal },
				options,
			);
			subscriptions.add(subscription);
			return {
				close: async () => {
					subscriptions.delete(subscription);
					await subscription.close();
				},
			};
		},
		findPositions: async (group, names) => {
			await admin.connect();
			await topics.ensure(names);
			const offsets = await findOffsets(admin, group, names);
			return offsets.map(({ topic, partition, end, lag }) => ({
				part: `${topic}/${partition}`,
				reached: Number(end) - lag,
				end: Number(end),
			}));
		},
		health: () => healthOf(() => assertBroker(admin)),
		close: async () => {
			closing.abort();
			await closeAll([
				() => Promise.all([...subscriptions].map((running) => running.close())),
				publisher.close,
				() => isInTime(admin.disconnect(), DISCONNECT_WAIT_MS),
			]);
		},
	};
}

async function assertBroker(admin: Admin): Promise<void> {
	await admin.connect();
	const { brokers } = await admin.describeCluster();
	if (brokers.length === 0) throw new Error("The cluster has no broker.");
}
