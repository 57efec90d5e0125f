import { expect, it } from "vitest";
import { outputPerSecond } from "./output-rate.ts";

const LOAD = { rate: 10, startedAtMs: 1_000, endedAtMs: 11_000 };
const times = (count: number, fromMs: number, untilMs: number) =>
	Array.from(
		{ length: count },
		(_, nth) => fromMs + ((nth + 0.5) * (untilMs - fromMs)) / count,
	);

it("is what came after the first tenth of the load, by its time", () => {
	const early = times(10, 1_000, 2_000);
	const counted = times(72, 2_000, 11_000);
	expect(outputPerSecond([...early, ...counted], LOAD)).toBeCloseTo(8);
});

it("leaves out what came after the load", () => {
	const counted = times(45, 2_000, 11_000);
	const late = times(20, 11_001, 12_000);
	expect(outputPerSecond([...counted, ...late], LOAD)).toBeCloseTo(5);
});

it("never exceeds the input, when a backlog of before arrives too", () => {
	expect(outputPerSecond(times(100, 2_000, 11_000), LOAD)).toBe(10);
});
