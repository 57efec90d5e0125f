import {
	type Admin,
	type ConfigResourceTypes,
	Kafka,
	type KafkaMessage,
	logLevel,
	Partitioners,
	type Producer,
} from "kafkajs";
import { until } from "./watch.ts";

type NewRecord = Pick<KafkaMessage, "key" | "value" | "headers">;
type SentRecord = { readonly [K in keyof NewRecord]?: NewRecord[K] | string };

const QUIET_MS = 30_000;
const BATCH = 500;
/** The library exports its names of kinds to the compiler alone. */
const TOPIC: ConfigResourceTypes.TOPIC = 2;

/** The broker itself, beside all services. */
export async function openBroker(brokers: readonly string[]) {
	const kafka = new Kafka({
		brokers: [...brokers],
		clientId: "chaos",
		logLevel: logLevel.NOTHING,
	});
	const admin = kafka.admin();
	const producer = kafka.producer({
		createPartitioner: Partitioners.DefaultPartitioner,
	});
	await Promise.all([admin.connect(), producer.connect()]);
	return {
		publish: (topic: string, records: readonly SentRecord[]) =>
			publish(producer, topic, records),
		/** All that is in the topic when this is called. */
		readAll: (topic: string) => readAll(kafka, admin, topic),
		/** To the first record; all members must have left, or be about to. */
		rewind: (groupId: string, topic: string) =>
			until(
				() =>
					admin.resetOffsets({ groupId, topic, earliest: true }).then(
						() => true,
						() => false,
					),
				QUIET_MS,
				`${groupId} cannot be rewound`,
			),
		allowRecordsOf: (topic: string, bytes: number) =>
			allowRecordsOf(admin, topic, bytes),
		close: () => Promise.all([admin.disconnect(), producer.disconnect()]),
	};
}

async function publish(
	producer: Producer,
	topic: string,
	records: readonly SentRecord[],
): Promise<void> {
	for (let from = 0; from < records.length; from += BATCH)
		await producer.send({
			topic,
			messages: records
				.slice(from, from + BATCH)
				.map(({ key = null, value = null, headers = {} }) => ({
					key,
					value,
					headers: headers as KafkaMessage["headers"] & object,
				})),
		});
}

async function readAll(
	kafka: Kafka,
	admin: Admin,
	topic: string,
): Promise<KafkaMessage[]> {
	const offsets = await admin.fetchTopicOffsets(topic);
	const total = offsets.reduce(
		(sum, { low, high }) => sum + Number(high) - Number(low),
		0,
	);
	const records: KafkaMessage[] = [];
	const consumer = kafka.consumer({ groupId: `chaos-${Date.now()}` });
	await consumer.connect();
	await consumer.subscribe({ topic, fromBeginning: true });
	await consumer.run({
		eachMessage: async ({ message }) => void records.push(message),
	});
	await until(
		() => records.length >= total,
		QUIET_MS,
		"the topic was not read",
	);
	await consumer.disconnect();
	return records;
}

async function allowRecordsOf(admin: Admin, topic: string, bytes: number) {
	const configEntries = [{ name: "max.message.bytes", value: String(bytes) }];
	await admin.alterConfigs({
		validateOnly: false,
		resources: [{ type: TOPIC, name: topic, configEntries }],
	});
}
