import { expect, it } from "vitest";
import { figureTable, meetsFloor } from "./figures.ts";

const ratio = { name: "ratio", unit: "ratio", better: "higher" } as const;
const latency = { name: "p99", unit: "ms", better: "lower" } as const;

it("takes a floor as a least value for rates and as a greatest for times", () => {
	expect(meetsFloor({ ...ratio, value: 0.2, floor: 0.2 })).toBe(true);
	expect(meetsFloor({ ...ratio, value: 0.19, floor: 0.2 })).toBe(false);
	expect(meetsFloor({ ...latency, value: 50, floor: 50 })).toBe(true);
	expect(meetsFloor({ ...latency, value: 51, floor: 50 })).toBe(false);
	expect(meetsFloor({ ...latency, value: 51 })).toBe(true);
});

it("shows what was reached beside what was wanted", () => {
	const table = figureTable([
		{ ...ratio, value: 0.31, floor: 0.2, aim: 0.4 },
		{ ...latency, value: 12.4, floor: 50, aim: 25 },
		{ ...ratio, name: "low", value: 0.1, floor: 0.2, aim: 0.4 },
		{ name: "life", unit: "/s", better: "higher", value: 1_234.5 },
	]);
	expect(table.split("\n")).toEqual([
		"  figure  measured  floor    aim",
		"  ratio       0.31   0.20   0.40  met",
		"  p99        12 ms  50 ms  25 ms  aim reached",
		"  low         0.10   0.20   0.40  MISSED",
		"  life     1,235/s",
	]);
});
