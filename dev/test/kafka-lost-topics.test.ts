import type { EventBus } from "@airtower/platform/events/event-bus";
import { createKafkaEventBus } from "@airtower/platform/events/kafka/event-bus";
import { createLogger } from "@airtower/platform/runtime/log";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { testEvent } from "@airtower/platform/testing/event-bus";
import { eventually } from "@airtower/platform/testing/eventually";
import { Kafka, logLevel } from "kafkajs";
import { expect, onTestFinished, test } from "vitest";
import { sharedKafka } from "./support/bus-server.ts";
import { collect } from "./support/received.ts";

const { source, brokers: shared } = await sharedKafka();
const brokers = [...shared];

/** A bus of a process of its own, and the lines of its log. */
function openBus(): { bus: EventBus; lines: string[] } {
	const lines: string[] = [];
	const bus = createKafkaEventBus({
		brokers,
		clientId: "test",
		log: createLogger({
			service: "test",
			level: "info",
			destination: { write: (line) => lines.push(line) },
		}),
		metrics: createMetrics("test"),
		onFatal: () => {},
		partitions: 2,
		sessionTimeoutMs: 3_000,
	});
	onTestFinished(() => bus.close());
	return { bus, lines };
}

test.skipIf(source === undefined)(
	"a topic that a broker has lost, as with its disk, is made anew while processes run: they go on, and it is said",
	async () => {
		const topic = `kafka.lost.${Date.now()}`;
		const [publisher, reader, other] = [openBus(), openBus(), openBus()];
		const [received, heard] = [collect(), collect()];
		const subscription = { group: topic, topics: [topic] };
		await reader.bus.subscribe({ ...subscription, onBatch: received.onBatch });
		await other.bus.subscribe({
			group: `${topic}.each`,
			topics: [topic],
			ephemeral: true,
			onBatch: heard.onBatch,
		});
		const before = [1, 2, 3, 4].map((key) =>
			testEvent({ topic, key: `${key}` }),
		);
		await publisher.bus.publish(before);
		await Promise.all([received.all(before), heard.all(before)]);

		const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
		onTestFinished(() => admin.disconnect());
		await admin.connect();
		await admin.deleteTopics({ topics: [topic] });
		const after = testEvent({ topic, key: "1" });
		// As a relay does, until the bus takes it.
		await eventually(() => publisher.bus.publish([after]));
		await Promise.all([received.all([after]), heard.all([after])]);
		const lines = [publisher, reader, other].flatMap(({ lines }) => lines);
		expect(lines.join("")).toMatch(new RegExp(`${topic}.*events may be lost`));
	},
);
