import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { platformMigrations } from "../database/migration/migration-set.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { eventually } from "../testing/eventually.ts";
import { longestMs } from "../testing/frozen.ts";
import { silentLog } from "../testing/log.ts";
import { createLease, rescueExpired } from "./lease.ts";
import { runSingleton } from "./singleton.ts";

const LEASE_MS = 5_000;
const STEPS = [
	["5 minutes back", -5 * 60_000],
	["1 minute forward", 60_000],
] as const;

let database: TestDatabase;

beforeEach(async () => {
	const { leases, singletons } = platformMigrations;
	database = await testDatabase([leases, singletons], {
		hasMovableClock: true,
	});
});

afterEach(() => database.drop());

/** Watches and rescues for longer than a lease, as the jobs do. */
async function rescueUntil(isDone: () => boolean, renew: () => Promise<void>) {
	const watcher = await createLease(database.sql, LEASE_MS, silentLog);
	const rescued: string[] = [];
	await eventually(async () => {
		await rescueExpired(database.sql, watcher, async (_, tokens) => {
			rescued.push(...tokens);
			return tokens.length;
		});
		await renew();
		expect(isDone() || rescued.length > 0).toBe(true);
	});
	return rescued;
}

test.each(STEPS)(
	"a lease in use is not taken over when the clock steps %s",
	async (_, stepMs) => {
		const lease = await createLease(database.sql, LEASE_MS, silentLog);
		await database.setClock(stepMs);
		const until = performance.now() + 2 * LEASE_MS;
		const isDone = () => performance.now() > until;
		expect(await rescueUntil(isDone, lease.renew)).toEqual([]);
	},
);

test.each(STEPS)(
	"a lease that nobody renews is taken over in its time when the clock steps %s",
	async (_, stepMs) => {
		const lease = await createLease(database.sql, LEASE_MS, silentLog);
		await database.setClock(stepMs);
		const startedAt = performance.now();
		const rescued = await rescueUntil(
			() => false,
			async () => {},
		);
		expect(rescued).toEqual([lease.token()]);
		expect(lease.covers(lease.token())).toBe(false);
		expect(performance.now() - startedAt).toBeLessThan(longestMs(3 * LEASE_MS));
	},
);

/** What a process that wants a singleton sees. */
function hold() {
	const log: ("held" | "lost")[] = [];
	const stop = new AbortController();
	const { sql } = database;
	const done = runSingleton({
		sql,
		name: "one",
		leaseMs: LEASE_MS,
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

test.each(STEPS)(
	"a singleton is held by one process when the clock steps %s, and by the next one after it",
	async (_, stepMs) => {
		const first = hold();
		await eventually(() => expect(first.log).toEqual(["held"]));
		const second = hold();
		await database.setClock(stepMs);
		const until = performance.now() + 2 * LEASE_MS;
		await eventually(() => expect(performance.now()).toBeGreaterThan(until));
		expect([first.log, second.log]).toEqual([["held"], []]);
		await first.end();
		await eventually(() => expect(second.log).toEqual(["held"]));
	},
);
