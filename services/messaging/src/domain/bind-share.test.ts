import { expect, test } from "vitest";
import { bindShare, slotRate } from "./bind-share.ts";

const range = (count: number) => Array.from({ length: count }, (_, at) => at);
const sum = (numbers: readonly number[]) =>
	numbers.reduce((total, one) => total + one, 0);

test.each([
	[1, 4, [1, 0, 0, 0]],
	[4, 1, [4]],
	[4, 2, [2, 2]],
	[4, 3, [2, 1, 1]],
	[5, 4, [2, 1, 1, 1]],
	[8, 4, [2, 2, 2, 2]],
])("%i connections over %i processes", (binds, processes, shares) => {
	expect(
		range(processes).map((index) => bindShare(binds, index, processes)),
	).toEqual(shares);
});

test("the shares of any number of processes add up to the connections, none above a fair one", () => {
	for (let binds = 1; binds <= 32; binds++)
		for (let processes = 1; processes <= 40; processes++) {
			const shares = range(processes).map((index) =>
				bindShare(binds, index, processes),
			);
			expect(sum(shares)).toBe(binds);
			expect(Math.max(...shares)).toBe(Math.ceil(binds / processes));
		}
});

test.each([
	[10, 4, [2, 3, 2, 3]],
	[100, 4, [25, 25, 25, 25]],
	[1, 4, [0, 0, 0, 1]],
	[7, 1, [7]],
])("a rate of %i over %i connections", (rate, binds, shares) => {
	expect(range(binds).map((slot) => slotRate(rate, slot, binds))).toEqual(
		shares,
	);
});

test("the connections' parts of any rate add up to it", () => {
	for (const rate of [1, 3, 10, 49, 999, 100_000])
		for (let binds = 1; binds <= 32; binds++)
			expect(sum(range(binds).map((slot) => slotRate(rate, slot, binds)))).toBe(
				rate,
			);
});
