import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { transaction } from "../../src/database/database.ts";
import { platformMigrations } from "../../src/database/migration/migration-set.ts";
import type { EventBus } from "../../src/events/event-bus.ts";
import { appendToOutbox } from "../../src/events/outbox.ts";
import { createPostgresEventBus } from "../../src/events/postgres/event-bus.ts";
import { pause } from "../../src/runtime/waiting.ts";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { testEvent } from "../../src/testing/event-bus.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { frozenMs, LONGEST_WAIT_MS } from "../../src/testing/frozen.ts";
import { silentLog } from "../../src/testing/log.ts";

const TOPIC = "frozen.relay";
const LOAD_MS = frozenMs(4_000);
const PROGRAM = fileURLToPath(new URL("relay-process.ts", import.meta.url));

let db: TestDatabase;
let busSchema: string;
let bus: EventBus;

beforeAll(async () => {
	db = await testDatabase([
		platformMigrations.outbox,
		platformMigrations.singletons,
	]);
	busSchema = `${db.schema}_bus`;
	bus = await createPostgresEventBus({
		databaseUrl: db.url,
		schema: busSchema,
		clientId: "test",
		log: silentLog,
	});
});

afterAll(async () => {
	await bus.close();
	await db.drop();
});

async function spawnRelay() {
	const args = [PROGRAM, db.url, db.schema, busSchema];
	const child = spawn(process.execPath, args, {
		stdio: ["ignore", "pipe", "inherit"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	await once(child.stdout, "data");
	return child;
}

test("no event waits over 15 s while the relay that holds the outbox stands still under load", async () => {
	const sentAt = new Map<string, number>();
	const waits = new Map<string, number>();
	await bus.subscribe({
		group: "observer",
		topics: [TOPIC],
		ephemeral: true,
		onBatch: async (events) => {
			for (const { id } of events)
				if (!waits.has(id))
					waits.set(id, performance.now() - (sentAt.get(id) ?? 0));
		},
	});
	const stop = new AbortController();
	const load = (async () => {
		while (!stop.signal.aborted) {
			const events = Array.from({ length: 20 }, () =>
				testEvent({ topic: TOPIC }),
			);
			for (const { id } of events) sentAt.set(id, performance.now());
			await transaction(db.sql, (sql) => appendToOutbox(sql, events));
			await pause(20, stop.signal);
		}
	})();
	const holder = await spawnRelay();
	await eventually(() => expect(waits.size).toBeGreaterThan(100));
	await spawnRelay();
	holder.kill("SIGSTOP");
	const relayed = waits.size;
	await pause(LOAD_MS, stop.signal);
	await eventually(() => expect(waits.size).toBeGreaterThan(relayed + 1_000));
	stop.abort();
	await load;
	holder.kill("SIGCONT");
	await eventually(() => expect(waits.size).toBe(sentAt.size));
	expect(Math.max(...waits.values())).toBeLessThan(LONGEST_WAIT_MS);
});
