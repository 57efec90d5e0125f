import { createMetrics } from "@airtower/platform/runtime/metrics";
import { silentLog } from "@airtower/platform/testing/log";
import { expect, onTestFinished, test, vi } from "vitest";
import type { LeaseRequest, WindowUnits } from "../store/rate-windows.ts";
import { createTelemetry } from "../telemetry.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";

const START_MS = 1_772_357_400_000;

/** The store's rule without a database: many gateways, one count per window. */
function createStore() {
	const leased = new Map<string, number>();
	const store = {
		calls: 0,
		isDown: Boolean(),
		lease: async (requests: LeaseRequest[]) => {
			store.calls++;
			if (store.isDown) throw new Error("down");
			return requests.map(({ ownerId, windowStart, units, limit }) => {
				const name = `${ownerId} ${windowStart}`;
				const before = leased.get(name) ?? 0;
				const granted = Math.max(0, Math.min(units, limit - before));
				leased.set(name, before + granted);
				return { granted, leased: before + granted };
			});
		},
		giveBack: async (unused: WindowUnits[]) => {
			for (const { ownerId, windowStart, units } of unused) {
				const name = `${ownerId} ${windowStart}`;
				leased.set(name, (leased.get(name) ?? 0) - units);
			}
		},
	};
	return store;
}

function createWorld(gateways: number) {
	const store = createStore();
	const clock = { nowMs: START_MS, stepMs: 0 };
	const limiters = Array.from({ length: gateways }, () =>
		createRateLimiter({
			store,
			nowMs: () => clock.nowMs + clock.stepMs,
			monotonicMs: () => clock.nowMs,
			log: silentLog,
			telemetry: createTelemetry(createMetrics("test")),
		}),
	);
	return { store, clock, limiters, limiter: limiters[0] as RateLimiter };
}

async function countAllowed(
	limiter: RateLimiter,
	times: number,
	limit: number,
): Promise<number> {
	let allowed = 0;
	for (let count = 0; count < times; count++)
		if ((await limiter.take("key", limit)).allowed) allowed++;
	return allowed;
}

test("one gateway lets exactly the limit pass and says what is left", async () => {
	const { limiter } = createWorld(1);
	const remaining: number[] = [];
	for (let count = 0; count < 100; count++)
		remaining.push((await limiter.take("key", 100)).remaining);
	expect(remaining).toEqual(Array.from({ length: 100 }, (_, n) => 99 - n));
	expect(await limiter.take("key", 100)).toEqual({
		allowed: false,
		limit: 100,
		remaining: 0,
		resetAt: START_MS / 1_000 + 60,
	});
});

test("a new window begins anew", async () => {
	const { limiter, clock } = createWorld(1);
	expect(await countAllowed(limiter, 20, 10)).toBe(10);
	clock.nowMs += 60_000;
	expect(await countAllowed(limiter, 20, 10)).toBe(10);
});

test("requests at once are counted one by one", async () => {
	const { limiter } = createWorld(1);
	const verdicts = await Promise.all(
		Array.from({ length: 500 }, () => limiter.take("key", 300)),
	);
	expect(verdicts.filter(({ allowed }) => allowed).length).toBe(300);
});

test("many gateways share the limit exactly", async () => {
	const { limiters } = createWorld(5);
	const allowed = await Promise.all(
		limiters.map((limiter) => countAllowed(limiter, 1_000, 1_000)),
	);
	expect(allowed.reduce((sum, count) => sum + count)).toBe(1_000);
});

test("the store is asked far less than once per request", async () => {
	const { limiter, store } = createWorld(1);
	await countAllowed(limiter, 3_000, 3_000);
	expect(store.calls).toBeLessThan(75);
});

test("a limit that is raised within the window is used at once", async () => {
	const { limiter, clock } = createWorld(1);
	expect(await countAllowed(limiter, 20, 10)).toBe(10);
	clock.nowMs += 1_000;
	expect(await countAllowed(limiter, 30, 25)).toBe(15);
});

test("what an idle gateway holds goes back to the others", async () => {
	const { limiters, clock } = createWorld(2);
	const [one, two] = limiters as [RateLimiter, RateLimiter];
	expect(await countAllowed(one, 1, 100)).toBe(1);
	expect(await countAllowed(two, 200, 100)).toBeLessThan(99);
	clock.nowMs += 6_000;
	await one.tidy();
	clock.nowMs += 1_000;
	expect(await countAllowed(two, 200, 100)).toBeGreaterThan(0);
	expect(await countAllowed(one, 200, 100)).toBe(0);
});

test("a gateway that stops gives back what it holds", async () => {
	const { limiters } = createWorld(2);
	const [one, two] = limiters as [RateLimiter, RateLimiter];
	expect(await countAllowed(one, 10, 100)).toBe(10);
	await one.close();
	expect(await countAllowed(two, 200, 100)).toBe(90);
});

test("while the store is down each gateway allows its last known share", async () => {
	const { limiters, store, clock } = createWorld(2);
	const [one, two] = limiters as [RateLimiter, RateLimiter];
	for (let round = 0; round < 100; round++) {
		await one.take("key", 100);
		if (round % 4 === 0) await two.take("key", 100);
	}
	clock.nowMs += 60_000;
	store.isDown = true;
	const allowed = [
		await countAllowed(one, 200, 100),
		await countAllowed(two, 200, 100),
	];
	expect(allowed[0]).toBeGreaterThan(Number(allowed[1]));
	expect(Math.min(...allowed)).toBeGreaterThan(0);
	const calls = store.calls;
	await countAllowed(one, 200, 100);
	expect(store.calls).toBe(calls);
});

test("what passed while the store was down is paid for when it is back", async () => {
	const { limiter, store, clock } = createWorld(1);
	store.isDown = true;
	expect(await countAllowed(limiter, 30, 100)).toBe(30);
	store.isDown = false;
	clock.nowMs += 1_000;
	expect(await countAllowed(limiter, 200, 100)).toBe(70);
});

test("a wall clock that steps back lets no more pass than the limit, nor keeps units from the others", async () => {
	const { limiters, store, clock } = createWorld(2);
	const [one, two] = limiters as [RateLimiter, RateLimiter];
	store.isDown = true;
	await one.take("key", 100);
	store.isDown = false;
	clock.nowMs += 41_000;
	clock.stepMs = -300_000;
	expect(await countAllowed(one, 1, 100)).toBe(1);
	await new Promise(setImmediate);
	expect(await countAllowed(one, 200, 100)).toBe(99);
	clock.stepMs = -360_000;
	expect(await countAllowed(one, 1, 100)).toBe(1);
	clock.stepMs -= 20_000;
	clock.nowMs += 6_000;
	await one.tidy();
	expect(await countAllowed(two, 200, 100)).toBe(99);
});

test("a store that hangs holds no request up for longer than half a second", async () => {
	const { limiter, store } = createWorld(1);
	store.lease = () => new Promise(() => {});
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const first = limiter.take("key", 10);
	await vi.advanceTimersByTimeAsync(500);
	expect((await first).allowed).toBe(true);
	expect((await limiter.take("key", 10)).allowed).toBe(true);
});

test("what a slow store grants is used once it is known, and the next block is no larger for it", async () => {
	const { limiter, store, clock } = createWorld(1);
	const units: number[] = [];
	const lease = store.lease;
	store.lease = async (requests) => {
		units.push(...requests.map((one) => one.units));
		await new Promise((resolve) => setTimeout(resolve, 600));
		return lease(requests);
	};
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const first = limiter.take("key", 100);
	await vi.advanceTimersByTimeAsync(500);
	expect((await first).allowed).toBe(true);
	await vi.advanceTimersByTimeAsync(200);
	// Of the 8 that were granted, one pays for the request that passed without.
	expect((await limiter.take("key", 100)).remaining).toBe(98);
	clock.nowMs += 1_000;
	const taken = Promise.all(
		Array.from({ length: 98 }, () => limiter.take("key", 100)),
	);
	await vi.advanceTimersByTimeAsync(60_000);
	expect((await taken).every(({ allowed }) => allowed)).toBe(true);
	expect(units.slice(0, 2)).toEqual([8, 8]);
});
