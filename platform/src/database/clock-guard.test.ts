import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { silentLog } from "../testing/log.ts";
import { createClockGuard } from "./clock-guard.ts";

const HOUR_MS = 3_600_000;
const MONTHS_MS = 14 * 30 * 24 * HOUR_MS;

let database: TestDatabase;

beforeAll(async () => {
	database = await testDatabase([]);
});
afterAll(() => database.drop());

/** Whether a job that deletes would run, by clocks that the test moves. */
function startGuard() {
	const state = { ahead: 0, elapsed: 0 };
	const guard = createClockGuard({
		sql: database.sql,
		log: silentLog,
		clock: () => new Date(Date.now() + state.ahead),
		monotonicMs: () => state.elapsed,
	});
	return { state, runs: async () => (await guard(async () => 1)) === 1 };
}

test("nothing is deleted while the process's clock and the database's differ by more than an hour", async () => {
	const { state, runs } = startGuard();
	expect(await runs()).toBe(true);
	for (const ahead of [MONTHS_MS, -MONTHS_MS, 1.1 * HOUR_MS]) {
		state.ahead = ahead;
		state.elapsed = Math.max(0, ahead);
		expect(await runs()).toBe(false);
	}
	state.ahead = 0.5 * HOUR_MS;
	expect(await runs()).toBe(true);
});

test("nothing is deleted once a clock has gone further than time has passed", async () => {
	const { state, runs } = startGuard();
	state.ahead = -0.9 * HOUR_MS;
	expect(await runs()).toBe(true);
	state.ahead = 0.9 * HOUR_MS;
	expect(await runs()).toBe(false);
	state.elapsed = 2 * HOUR_MS;
	expect(await runs()).toBe(true);
});
