import fc from "fast-check";
import { expect, test } from "vitest";
import { cappedBlock, nextBlock, windowStartOf } from "./rate-block.ts";

test("windows begin at whole minutes since the epoch", () => {
	expect(windowStartOf(0)).toBe(0);
	expect(windowStartOf(59_999)).toBe(0);
	expect(windowStartOf(60_000)).toBe(60);
	expect(windowStartOf(1_772_357_459_999)).toBe(1_772_357_400);
});

test("a block doubles for a busy key, halves for a quiet one, and stays otherwise", () => {
	expect(nextBlock(64, 200, 100_000)).toBe(128);
	expect(nextBlock(64, 2_000, 100_000)).toBe(64);
	expect(nextBlock(64, 6_000, 100_000)).toBe(32);
	expect(nextBlock(8, 6_000, 100_000)).toBe(8);
});

test("a block is at least one and at most an eighth of what is left", () => {
	fc.assert(
		fc.property(
			fc.nat(1_000_000),
			fc.integer({ min: -1_000, max: 1_000_000 }),
			(wanted, remaining) => {
				const block = cappedBlock(wanted, remaining);
				expect(block).toBeGreaterThanOrEqual(1);
				expect(block).toBeLessThanOrEqual(
					Math.max(1, Math.ceil(remaining / 8)),
				);
			},
		),
	);
});

test("a window of 3,000 requests takes fewer than 70 leases", () => {
	let left = 3_000;
	let block = 8;
	let leases = 0;
	while (left > 0) {
		block = nextBlock(block, 100, left);
		left -= block;
		leases++;
	}
	expect(leases).toBeLessThan(70);
});
