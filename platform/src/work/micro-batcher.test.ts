import { expect, test, vi } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { createBatcher, inHalves } from "./micro-batcher.ts";

test("items of one turn go in one flush and each gets its own result", async () => {
	const batches: number[][] = [];
	const batcher = createBatcher<number, number>({
		maxItems: 500,
		maxInFlight: 2,
		flush: async (items) => {
			batches.push(items);
			return items.map((item) => item * 2);
		},
	});
	const results = await Promise.all([1, 2, 3].map(batcher.add));
	expect(results).toEqual([2, 4, 6]);
	expect(batches).toEqual([[1, 2, 3]]);
});

test("never more flushes in flight or items in one than the limits say", async () => {
	const open: (() => void)[] = [];
	const sizes: number[] = [];
	let peak = 0;
	const batcher = createBatcher<number, number>({
		maxItems: 7,
		maxInFlight: 2,
		flush: async (items) => {
			sizes.push(items.length);
			const gate = Promise.withResolvers<void>();
			open.push(gate.resolve);
			peak = Math.max(peak, open.length);
			await gate.promise;
			return items;
		},
	});
	const numbers = Array.from({ length: 100 }, (_, index) => index);
	const results = Promise.all(numbers.map(batcher.add));
	await eventually(() => expect(open).toHaveLength(2));
	while (batcher.depth() > 0 || open.length > 0) {
		open.shift()?.();
		await new Promise(setImmediate);
	}
	expect(await results).toEqual(numbers);
	expect(peak).toBe(2);
	expect(Math.max(...sizes)).toBe(7);
});

test("a failed flush rejects its own items and the next flush goes on", async () => {
	let first = true;
	const batcher = createBatcher<string, string>({
		maxItems: 1,
		maxInFlight: 1,
		flush: async (items) => {
			if (!first) return items;
			first = false;
			throw new Error("down");
		},
	});
	const results = await Promise.allSettled(["a", "b"].map(batcher.add));
	expect(results.map((result) => result.status)).toEqual([
		"rejected",
		"fulfilled",
	]);
	await batcher.drain();
	expect(batcher.depth()).toBe(0);
});

test("drain waits for what is in flight", async () => {
	let done = false;
	const batcher = createBatcher<number, number>({
		maxItems: 10,
		maxInFlight: 1,
		flush: async (items) => {
			await new Promise(setImmediate);
			done = true;
			return items;
		},
	});
	const result = batcher.add(1);
	await batcher.drain();
	expect(done).toBe(true);
	await result;
});

test("without a linger the next flush follows at once; with one, flushes that are not full keep their distance", async () => {
	vi.useFakeTimers();
	try {
		expect(await flushTimes(0)).toEqual([0, 10, 20, 30]);
		expect(await flushTimes(100)).toEqual([0, 10, 110, 210]);
	} finally {
		vi.useRealTimers();
	}
});

/** When flushes began of 40 items, of 51 (a full one and one more), and of 1, ms; a flush takes 10 ms. */
async function flushTimes(lingerMs: number): Promise<number[]> {
	const times: number[] = [];
	const beganAt = performance.now();
	const batcher = createBatcher<number, number>({
		maxItems: 50,
		maxInFlight: 1,
		lingerMs: () => lingerMs,
		flush: async (items) => {
			times.push(Math.round(performance.now() - beganAt));
			await new Promise((resolve) => setTimeout(resolve, 10));
			return items;
		},
	});
	const add = (count: number) =>
		Promise.all(Array.from({ length: count }, (_, nth) => batcher.add(nth)));
	const all = add(40)
		.then(() => add(51))
		.then(() => add(1));
	let isDone = false;
	void all.finally(() => {
		isDone = true;
	});
	// Not all timers: what earlier tests left in this process may set some without end.
	while (!isDone) await vi.advanceTimersToNextTimerAsync();
	return times;
}

/** Refuses what contains a bad item, and says so of one that stands alone. */
async function refuseBad(items: readonly string[], batches: string[]) {
	batches.push(items.join(""));
	if (!items.includes("x")) return items.map(() => "done");
	return items.length > 1 ? undefined : ["refused"];
}

test("bad items are found by halving, the others go on together, each result in its place", async () => {
	const batches: string[] = [];
	const work = (items: readonly string[]) => refuseBad(items, batches);
	expect(await inHalves([..."abcdexg"], work)).toEqual([
		...["done", "done", "done", "done", "done", "refused", "done"],
	]);
	expect(batches).toEqual(["abcdexg", "abcd", "exg", "ex", "e", "x", "g"]);
	expect(await inHalves([..."xx"], work)).toEqual(["refused", "refused"]);
});

test("a failure of the work ends it", async () => {
	const work = async () => {
		throw new Error("The database is away.");
	};
	await expect(inHalves(["a", "b"], work)).rejects.toThrow("away");
});
