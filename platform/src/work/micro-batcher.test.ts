import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { type CollectorOptions, createCollector } from "./micro-batcher.ts";

test("items of one turn go in one flush and each gets its own result", async () => {
	const batches: number[][] = [];
	const collector = createCollector<number, number>({
		maxItems: 500,
		maxInFlight: 2,
		flush: async (items) => {
			batches.push(items);
			return items.map((item) => item * 2);
		},
	});
	const results = await Promise.all([1, 2, 3].map(collector.add));
	expect(results).toEqual([2, 4, 6]);
	expect(batches).toEqual([[1, 2, 3]]);
});

test("never more flushes in flight or items in one than the limits say", async () => {
	const open: (() => void)[] = [];
	const sizes: number[] = [];
	let peak = 0;
	const collector = createCollector<number, number>({
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
	const results = Promise.all(numbers.map(collector.add));
	await eventually(() => expect(open).toHaveLength(2));
	while (collector.depth() > 0 || open.length > 0) {
		open.shift()?.();
		await new Promise(setImmediate);
	}
	expect(await results).toEqual(numbers);
	expect(peak).toBe(2);
	expect(Math.max(...sizes)).toBe(7);
});

test("a failed flush rejects its own items and the next flush goes on", async () => {
	let first = true;
	const collector = createCollector<string, string>({
		maxItems: 1,
		maxInFlight: 1,
		flush: async (items) => {
			if (!first) return items;
			first = false;
			throw new Error("down");
		},
	});
	const results = await Promise.allSettled(["a", "b"].map(collector.add));
	expect(results.map((result) => result.status)).toEqual([
		"rejected",
		"fulfilled",
	]);
	await collector.drain();
	expect(collector.depth()).toBe(0);
});

test("drain waits for what is in flight", async () => {
	let done = false;
	const collector = createCollector<number, number>({
		maxItems: 10,
		maxInFlight: 1,
		flush: async (items) => {
			await new Promise(setImmediate);
			done = true;
			return items;
		},
	});
	const result = collector.add(1);
	await collector.drain();
	expect(done).toBe(true);
	await result;
});

test("a flush beside another one waits for enough items", async () => {
	const gates: (() => void)[] = [];
	const sizes: number[] = [];
	const collector = createCollector<number, number>({
		maxItems: 500,
		maxInFlight: 2,
		minBeside: 3,
		flush: async (items) => {
			sizes.push(items.length);
			const gate = Promise.withResolvers<void>();
			gates.push(gate.resolve);
			await gate.promise;
			return items;
		},
	});
	const results = [collector.add(1)];
	await eventually(() => expect(sizes).toEqual([1]));
	results.push(collector.add(2), collector.add(3));
	await new Promise((resolve) => setTimeout(resolve, 20));
	expect(sizes).toEqual([1]);
	results.push(collector.add(4));
	await eventually(() => expect(sizes).toEqual([1, 3]));
	for (const open of gates) open();
	await Promise.all(results);
});

describe("on a clock of the test's", () => {
	beforeEach(() => {
		vi.useFakeTimers();
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	/** A collector with what its flushes carried, and when each began, ms. */
	function timed(
		flushMs: number,
		options: Partial<CollectorOptions<number, number>>,
	) {
		const sizes: number[] = [];
		const times: number[] = [];
		const beganAt = performance.now();
		const collector = createCollector<number, number>({
			maxItems: 500,
			maxInFlight: 1,
			...options,
			flush: async (items) => {
				sizes.push(items.length);
				times.push(Math.round(performance.now() - beganAt));
				await delay(flushMs);
				return items;
			},
		});
		return { collector, sizes, times };
	}

	test("a paced collector rests after a flush, unless it was full", async () => {
		const pace = { fullAt: 50, share: () => 0.1 };
		const { collector, times } = timed(10, { maxItems: 50, pace });
		const add = (count: number) =>
			Promise.all(Array.from({ length: count }, (_, n) => collector.add(n)));
		const all = add(40)
			.then(() => add(1))
			.then(() => add(100));
		await vi.runAllTimersAsync();
		await all;
		expect(times).toEqual([0, 100, 110, 120]);
	});

	test("callers that wait for their answers go together, though one began before the others", async () => {
		const { collector, sizes } = timed(40, { regroup: true });
		const call = async (rounds: number) => {
			for (let round = 0; round < rounds; round++) {
				await collector.add(round);
				await delay(2);
			}
		};
		const first = call(4);
		await vi.advanceTimersByTimeAsync(1);
		const all = Promise.all([first, call(3), call(3)]);
		await vi.runAllTimersAsync();
		await all;
		expect(sizes).toEqual([1, 3, 3, 3]);
	});

	test("callers that come at their own rate soon do not wait for those who were answered", async () => {
		const { collector, times } = timed(10, { regroup: true });
		const all: Promise<number>[] = [];
		for (let ms = 0; ms < 2_000; ms++) {
			all.push(collector.add(ms));
			await vi.advanceTimersByTimeAsync(1);
		}
		await vi.runAllTimersAsync();
		await Promise.all(all);
		expect(times.length).toBeGreaterThan(170);
	});

	test("flushes keep the distance that they are told to, and none from an idle time", async () => {
		const { collector, times } = timed(10, {
			regroup: true,
			spacing: () => 50,
		});
		const all = [collector.add(0)];
		await vi.advanceTimersByTimeAsync(5);
		all.push(collector.add(1));
		await vi.advanceTimersByTimeAsync(1_000);
		all.push(collector.add(2));
		await vi.runAllTimersAsync();
		await Promise.all(all);
		expect(times).toEqual([0, 50, 1_005]);
	});

	test("callers that are all back do not keep the distance", async () => {
		const { collector, times } = timed(10, {
			regroup: true,
			spacing: () => 50,
		});
		const call = async () => {
			for (let round = 0; round < 3; round++) {
				await collector.add(round);
				await delay(2);
			}
		};
		const all = Promise.all([call(), call()]);
		await vi.runAllTimersAsync();
		await all;
		expect(times).toEqual([0, 12, 24]);
	});

	test("a caller that does not come back holds up the others for a moment only", async () => {
		const { collector, times } = timed(400, { regroup: true });
		const gone = collector.add(1);
		await vi.advanceTimersByTimeAsync(1);
		const next = collector.add(2);
		await vi.runAllTimersAsync();
		await Promise.all([gone, next]);
		expect(times).toEqual([0, 410]);
	});
});

/** By the clock of the test: a time that a flush or a caller takes. */
function delay(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}
