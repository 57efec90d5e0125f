import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connectDatabase, type Db } from "../database/database.ts";
import { platformMigrations } from "../database/migration/migration-set.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { eventually } from "../testing/eventually.ts";
import { longestMs } from "../testing/frozen.ts";
import { silentLog } from "../testing/log.ts";
import { startWire } from "../testing/wire.ts";
import { runSingleton } from "./singleton.ts";

/** Longer than a busy machine keeps a holder from its heartbeats. */
const LEASE_MS = 5_000;
/** Longer than `eventually` waits. */
const LONG_LEASE_MS = 150_000;
const HOLDER = fileURLToPath(
	new URL("testing/singleton-holder.ts", import.meta.url),
);

let database: TestDatabase;

beforeAll(async () => {
	database = await testDatabase([platformMigrations.singletons]);
});
afterAll(() => database.drop());

/** What a holder in this process has seen so far. */
function hold(name: string, sql: Db = database.sql, leaseMs = LEASE_MS) {
	const log: ("held" | "lost")[] = [];
	const stop = new AbortController();
	const done = runSingleton({
		sql,
		name,
		leaseMs,
		signal: stop.signal,
		log: silentLog,
		whileHeld: (signal) =>
			new Promise<void>((resolve) => {
				log.push("held");
				signal.addEventListener("abort", () => resolve());
			}).then(() => void log.push("lost")),
	});
	const end = async () => {
		stop.abort();
		await done;
	};
	onTestFinished(end);
	return { log, end };
}

/** A holder in a process of its own. */
function spawnHolder(name: string) {
	const { url, schema } = database;
	const child = spawn(
		process.execPath,
		[HOLDER, url, schema, name, String(LEASE_MS)],
		{ stdio: ["ignore", "pipe", "inherit"] },
	);
	const log: string[] = [];
	child.stdout.on("data", (text) => {
		log.push(...String(text).trim().split("\n"));
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	return { log, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}

/** Milliseconds until the holder has the work. */
async function timeToHold(log: readonly string[]): Promise<number> {
	const startedAt = performance.now();
	await eventually(() => expect(log).toContain("held"));
	return performance.now() - startedAt;
}

test("one process holds a singleton; the next one follows when it stops", async () => {
	const first = hold("stopped", database.sql, LONG_LEASE_MS);
	await eventually(() => expect(first.log).toEqual(["held"]));
	const second = hold("stopped", database.sql, LONG_LEASE_MS);
	await first.end();
	expect(first.log).toEqual(["held", "lost"]);
	await eventually(() => expect(second.log).toEqual(["held"]));
});

test("a killed holder is replaced once its lease has run out", async () => {
	const first = spawnHolder("killed");
	await eventually(() => expect(first.log).toEqual(["held"]));
	first.kill("SIGKILL");
	expect(await timeToHold(hold("killed").log)).toBeLessThan(
		longestMs(2 * LEASE_MS),
	);
});

test("a frozen holder is replaced, and gives up when it runs again", async () => {
	const first = spawnHolder("frozen");
	await eventually(() => expect(first.log).toEqual(["held"]));
	first.kill("SIGSTOP");
	const second = hold("frozen");
	expect(await timeToHold(second.log)).toBeLessThan(longestMs(2 * LEASE_MS));
	first.kill("SIGCONT");
	await eventually(() => expect(first.log).toEqual(["held", "lost"]));
	expect(second.log).toEqual(["held"]);
});

test("a holder that the database is silent to gives up before others may begin, and comes back", async () => {
	const url = new URL(database.url);
	const wire = await startWire(Number(url.port));
	url.port = String(wire.port);
	const { schema } = database;
	const sql = connectDatabase({
		url: url.href,
		schema,
		poolSize: 2,
		applicationName: schema,
	});
	const { log } = hold("silent", sql);
	await eventually(() => expect(log).toEqual(["held"]));
	wire.hold();
	await eventually(() => expect(log).toEqual(["held", "lost"]));
	wire.release();
	await eventually(() => expect(log.at(-1)).toBe("held"));
});
