import { expect, test, vi } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { silentLog } from "../testing/log.ts";
import { runLoop } from "./loop.ts";

const HOUR_MS = 3_600_000;

function startLoop(runOnce: () => Promise<number>, intervalMs = HOUR_MS) {
	const stop = new AbortController();
	const loop = runLoop({
		name: "test",
		intervalMs,
		signal: stop.signal,
		log: silentLog,
		runOnce,
	});
	return { loop, stop };
}

test("rounds follow each other while there is work, then pause", async () => {
	const work = [3, 2, 1, 0];
	let rounds = 0;
	const { loop, stop } = startLoop(async () => work[rounds++] ?? 0);
	await eventually(() => expect(rounds).toBe(4));
	stop.abort();
	await loop.done;
	expect(rounds).toBe(4);
});

test("a wake during a round is not lost", async () => {
	let rounds = 0;
	const { loop, stop } = startLoop(async () => {
		rounds++;
		await new Promise(setImmediate);
		if (rounds === 1) loop.wake();
		return 0;
	});
	await eventually(() => expect(rounds).toBe(2));
	stop.abort();
	await loop.done;
});

test("an error does not end the loop", async () => {
	let rounds = 0;
	const { loop, stop } = startLoop(async () => {
		if (++rounds === 1) throw new Error("once");
		return 0;
	}, 1);
	await eventually(() => expect(rounds).toBeGreaterThan(2));
	stop.abort();
	await loop.done;
});

test("a job that fails is a warning, and an error from its third time in a row on; each is said once, and the end", async () => {
	const levels: string[] = [];
	const note = (level: string) => () => void levels.push(level);
	const stop = new AbortController();
	let rounds = 0;
	const loop = runLoop({
		name: "test",
		intervalMs: 1,
		maxBackoffMs: 1,
		signal: stop.signal,
		log: Object.assign(Object.create(silentLog), {
			info: note("info"),
			warn: note("warn"),
			error: note("error"),
		}),
		runOnce: async () => {
			if (++rounds <= 20) throw new Error("again");
			return 0;
		},
	});
	await eventually(() => expect(rounds).toBeGreaterThan(21));
	stop.abort();
	await loop.done;
	expect(levels).toEqual(["warn", "error", "info"]);
});

test("failures in a row are followed by no longer pause than the longest", async () => {
	let rounds = 0;
	const stop = new AbortController();
	const loop = runLoop({
		name: "test",
		intervalMs: HOUR_MS,
		maxBackoffMs: 1,
		signal: stop.signal,
		log: silentLog,
		runOnce: async () => {
			if (++rounds < 10) throw new Error("again");
			return 0;
		},
	});
	await eventually(() => expect(rounds).toBe(10));
	stop.abort();
	await loop.done;
});

test("the signal ends a pause at once and waits for the running round", async () => {
	let finished = false;
	const { loop, stop } = startLoop(async () => {
		await new Promise(setImmediate);
		stop.abort();
		await new Promise(setImmediate);
		finished = true;
		return 1;
	});
	await loop.done;
	expect(finished).toBe(true);
});

test("rounds that were not full keep their distance, also after a wake; a full one is followed at once", async () => {
	vi.useFakeTimers();
	const times: number[] = [];
	const work = [3, 10, 2, 0, 0];
	const stop = new AbortController();
	const beganAt = performance.now();
	const loop = runLoop({
		name: "test",
		intervalMs: HOUR_MS,
		lingerMs: 100,
		batchSize: 10,
		signal: stop.signal,
		log: silentLog,
		runOnce: async () => {
			times.push(Math.round(performance.now() - beganAt));
			return work.shift() ?? 0;
		},
	});
	await vi.advanceTimersByTimeAsync(250);
	loop.wake();
	await vi.advanceTimersByTimeAsync(1_000);
	expect(times).toEqual([0, 100, 100, 200, 300]);
	stop.abort();
	await loop.done;
	vi.useRealTimers();
});
