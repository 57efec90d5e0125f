import { type Kafka, Partitioners, type Producer } from "kafkajs";
import type { Logger } from "../../runtime/log.ts";
import { assertPublishable, type BusEvent } from "../event-bus.ts";
import { KAFKA_RETRY } from "./client.ts";
import { toRecord } from "./record.ts";
import type { TopicKeeper } from "./topics.ts";

interface KafkaPublisher {
	publish(events: readonly BusEvent[]): Promise<void>;
	close(): Promise<void>;
}

interface KafkaPublisherOptions {
	readonly kafka: Kafka;
	readonly topics: TopicKeeper;
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
		await options.topics.ensure([...new Set(events.map(({ topic }) => topic))]);
		try {
			producer ??= await connectProducer(options.kafka);
			for (const part of splitBySize(events)) await sendPart(producer, part);
		} catch (error) {
			options.topics.failed(error);
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

/** Broker's limit on one record batch (`message.max.bytes`, 1 MiB by default) with room for its frame. */
const MAX_SEND_BYTES = 1_030_000;
const RECORD_OVERHEAD_BYTES = 250;

/** The records of one partition travel as one batch, which the broker refuses when it is too big. */
function splitBySize(events: readonly BusEvent[]): BusEvent[][] {
	const parts: BusEvent[][] = [];
	let left = 0;
	for (const event of events) {
		const size = sizeOf(event);
		if (size > left) {
			parts.push([]);
			left = MAX_SEND_BYTES;
		}
		parts.at(-1)?.push(event);
		left -= size;
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
