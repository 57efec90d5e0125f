import fc from "fast-check";
import { expect, test } from "vitest";
import {
	addPacked,
	BUCKETS,
	bucketOf,
	packedCount,
	timeOfShare,
	unpackCounts,
} from "./packed-counts.ts";

function countsOf(times: readonly number[]): number[] {
	const counts = Array.from({ length: BUCKETS }, () => 0);
	for (const seconds of times) {
		const bucket = bucketOf(seconds);
		counts[bucket] = (counts[bucket] ?? 0) + 1;
	}
	return counts;
}

const time = fc.double({ min: 0.26, max: 165_000, noNaN: true });

test.each([0.5, 0.95])(
	"the time of a share of %d is within 13 percent of that of the sorted times",
	(share) => {
		fc.assert(
			fc.property(fc.array(time, { minLength: 1 }), (times) => {
				const sorted = times.toSorted((a, b) => a - b);
				const exact = sorted[Math.ceil(times.length * share) - 1] ?? 0;
				const found = timeOfShare(countsOf(times), share) ?? 0;
				expect(found / exact).toBeGreaterThan(1 / 1.13);
				expect(found / exact).toBeLessThan(1.13);
			}),
		);
	},
);

test("a longer time is in no earlier bucket", () => {
	fc.assert(
		fc.property(time, time, (a, b) => {
			const [short, long] = [Math.min(a, b), Math.max(a, b)];
			expect(bucketOf(short)).toBeLessThanOrEqual(bucketOf(long));
		}),
	);
});

test.each([
	["a negative time, of two clocks,", -3, 0, 0.25],
	["no time", 0, 0, 0.25],
	["a quarter of a second", 0.25, 0, 0.25],
	["a week", 604_800, BUCKETS - 1, 165_000],
] as const)("%s is in the outermost bucket", (_, seconds, bucket, shown) => {
	expect(bucketOf(seconds)).toBe(bucket);
	expect(timeOfShare(countsOf([seconds]), 0.5)).toBeCloseTo(shown, 5);
});

test("no message has no time", () => {
	expect(timeOfShare(countsOf([]), 0.5)).toBeUndefined();
});

const counts = fc.array(fc.integer({ min: 0, max: 400_000_000_000 }), {
	minLength: BUCKETS,
	maxLength: BUCKETS,
});

test("the sum of two packed numbers has the sums of all buckets", () => {
	fc.assert(
		fc.property(counts, counts, fc.nat(BUCKETS), (a, b, used) => {
			const [few, many] = [a.map((n, nth) => (nth < used ? n : 0)), b];
			const both = few.map((n, nth) => n + (many[nth] ?? 0));
			const [one, other] = [String(pack(few)), String(pack(many))];
			expect(withAll(unpackCounts(addPacked(one, other)))).toEqual(both);
			expect(withAll(unpackCounts(one))).toEqual(few);
		}),
	);
});

function pack(counts: readonly number[]): bigint {
	return counts.reduce(
		(sum, count, bucket) => sum + packedCount(bucket) * BigInt(count),
		0n,
	);
}

function withAll(counts: readonly number[]): number[] {
	return Array.from({ length: BUCKETS }, (_, bucket) => counts[bucket] ?? 0);
}
