import { setTimeout as delay } from "node:timers/promises";
import { type Db, transaction } from "@airtower/platform/database/database";
import { platformMigrations } from "@airtower/platform/database/migration/migration-set";
import { startConsumer } from "@airtower/platform/events/consumer";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import {
	appendToOutbox,
	outboxDepth,
	startRelay,
} from "@airtower/platform/events/outbox";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { testEvent } from "@airtower/platform/testing/event-bus";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	type BusServer,
	openBus,
	sharedKafka,
	startKafkaServer,
} from "./support/bus-server.ts";
import { collect, idsOf } from "./support/received.ts";

const { source } = await sharedKafka();
/** A given broker is not ours to kill. */
const runs = source === "docker" || source === "java";

const KEYS = 40;
const EVENTS_PER_TRANSACTION = 20;
const TRANSACTION_PAUSE_MS = 10;
const LOAD_BETWEEN_FAULTS_MS = 1_000;
const RECOVERY_MS = 90_000;

/** Writes events in business transactions until it is stopped; each key's events are numbered. */
function startLoad(sql: Db, topic: string, wake: () => void) {
	let running = true;
	let written = 0;
	const numbers = new Array<number>(KEYS).fill(0);

	function nextEvent(): BusEvent {
		const key = written++ % KEYS;
		const number = numbers[key] ?? 0;
		numbers[key] = number + 1;
		const payload = Buffer.from(JSON.stringify({ key, number }));
		return testEvent({ topic, key: `key ${key}`, payload });
	}

	async function run(): Promise<void> {
		while (running) {
			const events = Array.from({ length: EVENTS_PER_TRANSACTION }, nextEvent);
			await transaction(sql, (sql) => appendToOutbox(sql, events));
			wake();
			await delay(TRANSACTION_PAUSE_MS);
		}
	}

	const done = run();
	return {
		stop: async () => {
			running = false;
			await done;
			return written;
		},
	};
}

async function makeEffects(sql: Db): Promise<void> {
	await sql`
		create table effects (
			position bigserial,
			key int not null,
			number int not null
		)
	`;
}

describe.runIf(runs)("a broker that is killed under load", () => {
	let server: BusServer;
	let db: TestDatabase;
	const steps: (() => Promise<unknown>)[] = [];

	beforeAll(async () => {
		server = await startKafkaServer(source === "docker" ? source : "java");
		steps.unshift(server.stop);
		db = await testDatabase([
			platformMigrations.outbox,
			platformMigrations.singletons,
			platformMigrations.inbox,
		]);
		steps.unshift(db.drop);
		await makeEffects(db.sql);
	});

	afterAll(async () => {
		await closeAll(steps);
	});

	async function join(topic: string): Promise<void> {
		const bus = await openBus(server.address, (error) => {
			throw error;
		});
		steps.unshift(bus.close);
		await startConsumer({
			sql: db.sql,
			bus,
			group: "drill",
			topics: [topic],
			log: silentLog,
			metrics: createMetrics("test"),
			apply: async (sql, events) => {
				const rows = events.map(
					({ payload }) =>
						JSON.parse(String(payload)) as { key: number; number: number },
				);
				await sql`insert into effects ${sql(rows, "key", "number")}`;
			},
		});
	}

	it("loses no event of the outbox, repeats no effect and keeps each key's order", async () => {
		const topic = `drill.${Date.now()}`;
		await join(topic);
		await join(topic);
		const bus = await openBus(server.address);
		const stopping = new AbortController();
		const relay = startRelay({
			sql: db.sql,
			bus,
			log: silentLog,
			metrics: createMetrics("test"),
			signal: stopping.signal,
		});
		steps.unshift(
			async () => stopping.abort(),
			() => relay.done,
			bus.close,
		);
		const load = startLoad(db.sql, topic, relay.wake);
		for (let faults = 0; faults < 2; faults++) {
			await delay(LOAD_BETWEEN_FAULTS_MS);
			await server.kill();
			expect(await bus.health()).toBe("unreachable");
			await delay(LOAD_BETWEEN_FAULTS_MS);
			await server.restart();
		}
		await delay(LOAD_BETWEEN_FAULTS_MS);
		const written = await load.stop();
		await eventually(
			async () => {
				const [row] =
					await db.sql`select count(*)::int as effects from effects`;
				expect(row?.effects).toBeGreaterThanOrEqual(written);
			},
			{ timeoutMs: RECOVERY_MS, everyMs: 200 },
		);
		await eventually(async () =>
			expect(await outboxDepth(db.sql)).toMatchObject({ depth: 0 }),
		);
		await eventually(async () => expect(await bus.health()).toBe("ok"));
		const effects = await db.sql<{ key: number; number: number }[]>`
			select key, number
			from effects
			order by position
		`;
		expect(effects).toHaveLength(written);
		for (const [, ofKey] of Map.groupBy(effects, ({ key }) => key))
			expect(ofKey.map(({ number }) => number)).toEqual(
				ofKey.map((_, at) => at),
			);
	});

	it("is waited for by those who subscribe while it is away, until they close", async () => {
		const topic = `away.${Date.now()}`;
		await server.kill();
		const [client, leaving] = [
			await openBus(server.address),
			await openBus(server.address),
		];
		const received = collect();
		const subscribe = (bus: typeof client) =>
			bus.subscribe({
				group: topic,
				topics: [topic],
				onBatch: received.onBatch,
			});
		const refused = expect(subscribe(leaving)).rejects.toThrow("closed");
		await leaving.close();
		await refused;
		const subscribed = subscribe(client);
		await expect(client.publish([testEvent({ topic })])).rejects.toThrow();
		await server.restart();
		await subscribed;
		const all = [testEvent({ topic }), testEvent({ topic })];
		await client.publish(all);
		await received.all(all);
		expect(received.ids()).toEqual(idsOf(all));
		await client.close();
	});
});
