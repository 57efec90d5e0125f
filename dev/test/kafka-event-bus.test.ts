import { randomUUID } from "node:crypto";
import { platformMigrations } from "@airtower/platform/database/migration/migration-set";
import { startConsumer } from "@airtower/platform/events/consumer";
import { listDeadLetters } from "@airtower/platform/events/dead-letters";
import type { EventBus } from "@airtower/platform/events/event-bus";
import { createKafkaEventBus } from "@airtower/platform/events/kafka/event-bus";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import { createLogger } from "@airtower/platform/runtime/log";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { testDatabase } from "@airtower/platform/testing/database";
import { testEvent } from "@airtower/platform/testing/event-bus";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { type Admin, Kafka, logLevel } from "kafkajs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openBus, sharedKafka } from "./support/bus-server.ts";
import { collect } from "./support/received.ts";

const { source, brokers: shared } = await sharedKafka();
/** Longer than the session of a member. */
const LONG_BATCH_MS = 4_000;

describe.skipIf(source === undefined)("event bus on Kafka", () => {
	const brokers = [...shared];
	const address = { kind: "kafka", brokers } as const;
	let bus: EventBus;
	let admin: Admin;
	let topic: string;
	let group: string;
	let serial = 0;
	const steps: (() => Promise<void>)[] = [];

	beforeAll(async () => {
		bus = await openBus(address);
		steps.unshift(bus.close);
		admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
		steps.unshift(admin.disconnect);
		await admin.connect();
	});

	afterAll(async () => {
		await closeAll(steps);
	});

	beforeEach(() => {
		serial++;
		topic = `kafka.${serial}.${Date.now()}`;
		group = `kafka-group.${serial}.${Date.now()}`;
	});

	it("makes a topic of 12 partitions unless told otherwise", async () => {
		const plain = createKafkaEventBus({
			brokers,
			clientId: "test",
			log: silentLog,
			metrics: createMetrics("test"),
			onFatal: () => {},
		});
		await plain.ensureTopics([topic]);
		await plain.ensureTopics([topic]);
		await plain.close();
		const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
		expect(topics[0]?.partitions).toHaveLength(12);
	});

	it("parks a record that another program wrote, once, and goes on", async () => {
		const db = await testDatabase([platformMigrations.inbox]);
		const applied: string[] = [];
		const consumer = await startConsumer({
			sql: db.sql,
			bus,
			group,
			topics: [topic],
			log: silentLog,
			metrics: createMetrics("test"),
			apply: async (_sql, events) => {
				for (const { id, type } of events) {
					if (type === "") throw new TypeError("no such message");
					applied.push(id);
				}
			},
		});
		const producer = new Kafka({
			brokers,
			logLevel: logLevel.NOTHING,
		}).producer();
		await producer.connect();
		await producer.send({
			topic,
			messages: [
				{ key: "a\u0000b", value: "\u00ff", headers: { "event-id": "?" } },
				{ key: null, value: null },
			],
		});
		await producer.disconnect();
		const good = testEvent({ topic });
		await bus.publish([good]);
		await eventually(() => expect(applied).toContain(good.id));
		await eventually(async () =>
			expect(await listDeadLetters(db.sql, group)).toHaveLength(2),
		);
		await consumer.close();
		await db.drop();
	});

	it("keeps its membership while one batch takes longer than the session", async () => {
		const received = collect();
		let calls = 0;
		const subscription = await bus.subscribe({
			group,
			topics: [topic],
			onBatch: async (batch) => {
				calls++;
				await new Promise((resolve) => setTimeout(resolve, LONG_BATCH_MS));
				await received.onBatch(batch);
			},
		});
		const rival = collect();
		const all = [testEvent({ topic })];
		await bus.publish(all);
		await eventually(() => expect(calls).toBe(1));
		const other = await openBus(address);
		await received.all(all);
		await other.subscribe({ group, topics: [topic], onBatch: rival.onBatch });
		await other.close();
		await subscription.close();
		expect(calls).toBe(1);
		expect(rival.events).toEqual([]);
	});

	it("ends a process whose consumer hangs while events wait", async () => {
		const fatal: Error[] = [];
		const hanging = await openBus(address, (error) => fatal.push(error), 1_800);
		const release = Promise.withResolvers<void>();
		await hanging.subscribe({
			group,
			topics: [topic],
			onBatch: () => release.promise,
		});
		await hanging.publish([testEvent({ topic })]);
		await eventually(() => expect(fatal[0]?.message).toMatch(/no progress/));
		release.resolve();
		await hanging.close();
	});

	it("does not take a consumer for dead that is refused, or has nothing to do", async () => {
		const fatal: Error[] = [];
		const metrics = createMetrics("test");
		const bus = createKafkaEventBus({
			brokers,
			clientId: "test",
			log: silentLog,
			metrics,
			onFatal: (error: Error) => fatal.push(error),
			partitions: 2,
			sessionTimeoutMs: 6_000,
			stallTimeoutMs: 3_000,
		});
		let refusals = 0;
		await bus.subscribe({
			group,
			topics: [topic],
			onBatch: async () => {
				if (refusals++ < 4) throw new Error("database away");
			},
		});
		await bus.publish([testEvent({ topic })]);
		await eventually(() => expect(refusals).toBe(5));
		await bus.close();
		expect(fatal).toEqual([]);
	});

	it("says that events are lost which the broker deleted before the group had read them, and goes on", async () => {
		const received = collect();
		const subscribe = (bus: EventBus) =>
			bus.subscribe({ group, topics: [topic], onBatch: received.onBatch });
		const event = () => testEvent({ topic, key: "k" });
		const [first, lost, last] = [event(), event(), event()];
		const before = await subscribe(bus);
		await bus.publish([first]);
		await received.all([first]);
		await before.close();
		await bus.publish([lost]);
		const ends = await admin.fetchTopicOffsets(topic);
		const partitions = ends.map(({ high, ...end }) => ({
			...end,
			offset: high,
		}));
		await admin.deleteTopicRecords({ topic, partitions });
		await bus.publish([last]);
		const lines: string[] = [];
		const later = createKafkaEventBus({
			brokers,
			clientId: "test",
			log: createLogger({
				service: "test",
				level: "info",
				destination: { write: (line) => lines.push(line) },
			}),
			metrics: createMetrics("test"),
			onFatal: () => {},
		});
		await subscribe(later);
		await received.all([last]);
		await later.close();
		expect(received.ids()).not.toContain(lost.id);
		expect(lines.join("")).toMatch(new RegExp(`${topic}.*events are lost`));
	});

	it("ends a process that the broker refuses for good", async () => {
		const fatal: Error[] = [];
		const bus = createKafkaEventBus({
			brokers,
			clientId: "test",
			log: silentLog,
			metrics: createMetrics("test"),
			sessionTimeoutMs: 1_000,
			onFatal: (error: Error) => fatal.push(error),
		});
		await bus.subscribe({ group, topics: [topic], onBatch: async () => {} });
		await eventually(() => expect(fatal).toHaveLength(1));
		await bus.close();
	});

	/** Groups that a subscription leaves behind. */
	async function groupsLeft(): Promise<number> {
		const name = `${group}.${randomUUID()}`;
		const groups = async () =>
			(await admin.listGroups()).groups.filter(({ groupId }) =>
				groupId.startsWith(name),
			).length;
		const subscription = await bus.subscribe({
			group: name,
			topics: [topic],
			ephemeral: true,
			onBatch: async () => {},
		});
		expect(await groups()).toBe(1);
		await subscription.close();
		return groups();
	}

	it("leaves no trace of an ephemeral group, unless the broker takes long", async () => {
		let left = await groupsLeft();
		for (let tries = 1; left > 0 && tries < 5; tries++)
			left = await groupsLeft();
		expect(left).toBe(0);
	});
});
