import type { Admin, Consumer, EachBatchPayload, Kafka } from "kafkajs";
import { expect, test } from "vitest";
import { createMetrics } from "../../runtime/metrics.ts";
import { eventually } from "../../testing/eventually.ts";
import { silentLog } from "../../testing/log.ts";
import { createKafkaClient } from "./client.ts";
import { createKafkaEventBus } from "./event-bus.ts";
import { subscribeToKafka } from "./subscription.ts";

const TOPIC = "a.v1";
/** Nobody listens there. */
const NOWHERE = { brokers: ["127.0.0.1:1"], clientId: "test", log: silentLog };

const never = () => new Promise<never>(() => {});

/** A consumer that joins at once, and hands over the batches that the test brings. */
function joined(fields: Partial<Consumer> = {}) {
	const handlers: ((payload: EachBatchPayload) => Promise<void>)[] = [];
	const consumer = {
		events: {},
		on: () => () => {},
		connect: async () => {},
		subscribe: async () => {},
		run: async ({ eachBatch }: { eachBatch: (typeof handlers)[0] }) => {
			handlers.push(eachBatch);
		},
		disconnect: async () => {},
		...fields,
	};
	return {
		kafka: { consumer: () => consumer } as unknown as Kafka,
		bring: () =>
			handlers[0]?.({
				batch: {
					topic: TOPIC,
					partition: 0,
					messages: [{ key: null, value: Buffer.from("x"), offset: "0" }],
				},
				isRunning: () => true,
				isStale: () => false,
				commitOffsetsIfNecessary: never,
			} as unknown as EachBatchPayload),
	};
}

function subscribe(
	kafka: Kafka,
	admin: Partial<Admin>,
	onBatch = async () => {},
) {
	return subscribeToKafka(
		{
			kafka,
			log: silentLog,
			metrics: createMetrics("test"),
			admin: { fetchOffsets: async () => [], ...admin } as Admin,
			topics: { ensure: async () => {}, failed: () => {} },
			sessionTimeoutMs: 10_000,
			stallTimeoutMs: 60_000,
			onFatal: () => {},
			signal: new AbortController().signal,
		},
		{ group: "group", topics: [TOPIC], ephemeral: true, onBatch },
	);
}

test("a subscription closes though the broker does not say that it has forgotten the group", async () => {
	const { kafka } = joined();
	const subscription = await subscribe(kafka, { deleteGroups: never });
	await subscription.close();
});

test("a subscription closes before the library gives up a broker that is gone, and its late error is handled", async () => {
	const { kafka } = joined();
	const admin = createKafkaClient(NOWHERE).admin();
	let error: unknown;
	const subscription = await subscribe(kafka, {
		deleteGroups: async (groups) => {
			try {
				return await admin.deleteGroups(groups);
			} catch (reason) {
				error = reason;
				throw reason;
			}
		},
	});
	await subscription.close();
	expect(error).toBeUndefined();
	await admin.disconnect();
	await eventually(() => expect(error).toBeInstanceOf(Error));
});

test("a subscription whose broker is silent closes once its batch is over, not before", async () => {
	const { kafka, bring } = joined({ disconnect: never });
	const batch = Promise.withResolvers<void>();
	const begun = Promise.withResolvers<void>();
	const order: string[] = [];
	const subscription = await subscribe(kafka, {}, async () => {
		begun.resolve();
		await batch.promise;
		order.push("batch");
	});
	void bring();
	await begun.promise;
	const closed = subscription.close().then(() => order.push("closed"));
	batch.resolve();
	await closed;
	expect(order).toEqual(["batch", "closed"]);
});

test("a bus that cannot be reached closes, and so do the subscriptions that wait for it", async () => {
	const bus = createKafkaEventBus({
		...NOWHERE,
		metrics: createMetrics("test"),
		onFatal: () => {},
	});
	const subscribed = bus.subscribe({
		group: "group",
		topics: [TOPIC],
		ephemeral: true,
		onBatch: async () => {},
	});
	const failed = expect(subscribed).rejects.toThrow("closed");
	await bus.close();
	await failed;
});
