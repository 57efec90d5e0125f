import { type Kafka, Partitioners, type Producer } from "kafkajs";
import type { Logger } from "../../runtime/log.ts";
import { assertPublishable, type BusEvent } from "../event-bus.ts";
import { KAFKA_RETRY } from "./client.ts";
import { toRecord } from "./record.ts";
import { splitBySize } from "./send-parts.ts";

export interface KafkaPublisher {
	publish(events: readonly BusEvent[]): Promise<void>;
	close(): Promise<void>;
}

export interface KafkaPublisherOptions {
	readonly kafka: Kafka;
	readonly ensureTopics: (topics: readonly string[]) => Promise<void>;
	readonly log: Logger;
}

const ACKS_ALL = -1;

/** One send after the other keeps the order of a key; after a failed send the sequence numbers are unknown. */
export function createKafkaPublisher(
	options: KafkaPublisherOptions,
): KafkaPublisher {
	let producer: Producer | undefined;
	let last: Promise<void> = Promise.resolve();

	async function send(events: readonly BusEvent[]): Promise<void> {
		await options.ensureTopics([...new Set(events.map(({ topic }) => topic))]);
		try {
			producer ??= await connectProducer(options.kafka);
			for (const part of splitBySize(events)) await sendPart(producer, part);
		} catch (error) {
			const failed = producer;
			producer = undefined;
			void failed?.disconnect().catch((err) => {
				options.log.debug({ err }, "producer left open");
			});
			throw error;
		}
	}

	return {
		publish: async (events) => {
			assertPublishable(events);
			if (events.length === 0) return;
			const sent = last.then(() => send(events));
			last = sent.catch(() => {});
			await sent;
		},
		close: async () => {
			await last;
			await producer?.disconnect();
			producer = undefined;
		},
	};
}

async function connectProducer(kafka: Kafka): Promise<Producer> {
	const producer = kafka.producer({
		idempotent: true,
		maxInFlightRequests: 1,
		allowAutoTopicCreation: false,
		createPartitioner: Partitioners.DefaultPartitioner,
		retry: KAFKA_RETRY,
	});
	await producer.connect();
	return producer;
}

async function sendPart(
	producer: Producer,
	events: readonly BusEvent[],
): Promise<void> {
	const byTopic = Map.groupBy(events, ({ topic }) => topic);
	await producer.sendBatch({
		acks: ACKS_ALL,
		topicMessages: [...byTopic].map(([topic, events]) => ({
			topic,
			messages: events.map(toRecord),
		})),
	});
}
