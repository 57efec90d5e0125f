import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { Fifo } from "./receipts/fifo.ts";
import { TimerWheel } from "./timer-wheel.ts";

test("items come at their time, in order of it, and never early", async () => {
	const seen: { delayMs: number; lateMs: number }[] = [];
	const wheel = new TimerWheel<{ delayMs: number; addedAt: number }>(
		(items) => {
			for (const { delayMs, addedAt } of items)
				seen.push({ delayMs, lateMs: performance.now() - addedAt - delayMs });
		},
	);
	for (const delayMs of [120, 0, 60, 61, 200])
		wheel.add({ delayMs, addedAt: performance.now() }, delayMs);
	expect(wheel.size).toBe(5);
	await eventually(() => expect(seen).toHaveLength(5));
	expect(seen.map(({ delayMs }) => delayMs)).toEqual([0, 60, 61, 120, 200]);
	for (const { lateMs } of seen) expect(lateMs).toBeGreaterThanOrEqual(0);
	expect(wheel.size).toBe(0);
});

test("a wheel that ran empty starts again", async () => {
	const seen: number[] = [];
	const wheel = new TimerWheel<number>((items) => seen.push(...items));
	for (let round = 1; round <= 3; round++) {
		wheel.add(round, 5);
		await eventually(() => expect(seen).toHaveLength(round));
	}
});

test("a queue gives its items in order at any length", () => {
	const fifo = new Fifo<number>();
	let taken = 0;
	for (let i = 0; i < 10_000; i++) {
		fifo.push(i);
		if (i % 3 !== 0) expect(fifo.shift()).toBe(taken++);
	}
	expect(fifo.length).toBe(10_000 - taken);
	while (fifo.length > 0) expect(fifo.shift()).toBe(taken++);
	expect(fifo.shift()).toBeUndefined();
	expect(taken).toBe(10_000);
});
