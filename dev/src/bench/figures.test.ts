import { expect, it } from "vitest";
import { figureTable, percentile, rateFigures } from "./figures.ts";

it("takes a floor as a least value for rates and as a greatest for times", () => {
	const table = figureTable([
		...rateFigures("accepted", 1_234.5, 4_115, { floor: 0.2, aim: 0.4 }),
		{ name: "p99", unit: "ms", value: 12.4, floor: 50, aim: 25 },
		{ name: "p50", unit: "ms", value: 51, floor: 50 },
		{ name: "low", unit: "ratio", value: 0.1, floor: 0.2, aim: 0.4 },
	]);
	expect(table.split("\n")).toEqual([
		"  figure               measured  floor    aim",
		"  accepted              1,235/s",
		"    to an empty route     0.300  0.200  0.400  met",
		"  p99                     12 ms  50 ms  25 ms  aim reached",
		"  p50                     51 ms  50 ms         MISSED",
		"  low                     0.100  0.200  0.400  MISSED",
	]);
});

it("takes as a percentile the nearest rank", () => {
	const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
	expect(percentile(hundred, 0.99)).toBe(99);
	expect(percentile(hundred, 0.5)).toBe(50);
	expect(percentile(hundred, 1)).toBe(100);
	expect(percentile([7], 0.01)).toBe(7);
	expect(percentile([], 0.5)).toBe(0);
});
