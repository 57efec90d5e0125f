import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { transaction } from "../database/database.ts";
import { platformMigrations } from "../database/migration/migration-set.ts";
import type { Loop } from "../runtime/loop.ts";
import { createMetrics, writeMetrics } from "../runtime/metrics.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import {
	type TestEventBus,
	testEvent,
	testEventBus,
} from "../testing/event-bus.ts";
import { eventually } from "../testing/eventually.ts";
import { silentLog } from "../testing/log.ts";
import type { BusEvent, EventBus } from "./event-bus.ts";
import {
	appendToOutbox,
	outboxDepth,
	relayOnce,
	startRelay,
} from "./outbox.ts";

let db: TestDatabase;
let wire: TestEventBus;
let topic: string;
let received: BusEvent[];

beforeAll(async () => {
	db = await testDatabase([
		platformMigrations.outbox,
		platformMigrations.singletons,
	]);
	wire = await testEventBus();
});

afterAll(async () => {
	await wire.drop();
	await db.drop();
});

beforeEach(async () => {
	await db.sql`truncate outbox`;
	topic = `topic.${Math.random()}`;
	received = [];
	await wire.bus.subscribe({
		group: topic,
		topics: [topic],
		onBatch: async (events) => {
			received.push(...events);
		},
	});
});

function append(count: number): Promise<BusEvent[]> {
	const events = Array.from({ length: count }, () => testEvent({ topic }));
	return transaction(db.sql, async (sql) => {
		await appendToOutbox(sql, events);
		return events;
	});
}

function start(
	bus: EventBus,
	metrics = createMetrics("test"),
): Loop & { stop(): Promise<void> } {
	const stopping = new AbortController();
	const relay = startRelay({
		sql: db.sql,
		bus,
		metrics,
		log: silentLog,
		signal: stopping.signal,
	});
	return {
		...relay,
		stop: async () => {
			stopping.abort();
			await relay.done;
		},
	};
}

/** The bus as it is, but for its publish. */
function withPublish(publish: EventBus["publish"]): EventBus {
	return { ...wire.bus, publish };
}

describe("the relay", () => {
	it("publishes everything in order and empties the outbox", async () => {
		const events = await append(1_200);
		const relay = start(wire.bus);
		await eventually(() => expect(received).toHaveLength(1_200));
		expect(received.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
		await eventually(async () =>
			expect(await outboxDepth(db.sql)).toMatchObject({ depth: 0 }),
		);
		await relay.stop();
	});

	it("finds an event by itself, and when it is woken", async () => {
		const relay = start(wire.bus);
		await append(1);
		await eventually(() => expect(received).toHaveLength(1));
		await append(1);
		relay.wake();
		await eventually(() => expect(received).toHaveLength(2));
		await relay.stop();
	});

	it("keeps what the bus refuses and publishes it once the bus takes it", async () => {
		let refusals = 0;
		const bus = withPublish(async (events) => {
			if (refusals++ < 2) throw new Error("bus away");
			await wire.bus.publish(events);
		});
		await append(3);
		const relay = start(bus);
		await eventually(() => expect(received).toHaveLength(3));
		expect(refusals).toBe(3);
		await relay.stop();
	});

	it("publishes again what it could not delete after a crash", async () => {
		const events = await append(2);
		const stop = new Error("crash");
		const bus = withPublish(async (events) => {
			await wire.bus.publish(events);
			throw stop;
		});
		const options = { sql: db.sql, metrics: createMetrics("test") };
		await expect(relayOnce({ ...options, bus })).rejects.toThrow(stop);
		expect(await relayOnce({ ...options, bus: wire.bus })).toBe(2);
		const ids = events.map(({ id }) => id);
		await eventually(() =>
			expect(received.map(({ id }) => id)).toEqual([...ids, ...ids]),
		);
	});

	it("runs in one process at a time and is taken over from one that stops", async () => {
		let concurrent = 0;
		let most = 0;
		const bus = withPublish(async (events) => {
			most = Math.max(most, ++concurrent);
			await wire.bus.publish(events);
			concurrent--;
		});
		const [first, second] = [start(bus), start(bus)];
		for (let round = 0; round < 5; round++) await append(100);
		await eventually(() => expect(received).toHaveLength(500));
		expect(most).toBe(1);
		await first.stop();
		await append(10);
		await eventually(() => expect(received).toHaveLength(510));
		await second.stop();
	});

	it("reports depth, lag and how many it published", async () => {
		const metrics = createMetrics("test");
		const blocked = Promise.withResolvers<void>();
		await append(7);
		const relay = start(
			withPublish(async (events) => {
				await blocked.promise;
				await wire.bus.publish(events);
			}),
			metrics,
		);
		await eventually(async () =>
			expect((await writeMetrics(metrics)).text).toMatch(
				/outbox_depth\{[^}]*\} 7/,
			),
		);
		expect((await writeMetrics(metrics)).text).toContain("outbox_lag_seconds");
		blocked.resolve();
		await eventually(async () =>
			expect((await writeMetrics(metrics)).text).toMatch(
				/outbox_published_total\{[^}]*\} 7/,
			),
		);
		await relay.stop();
	});
});
