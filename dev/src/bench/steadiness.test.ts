import { expect, it } from "vitest";
import { stolenShare, watchSteadiness } from "./steadiness.ts";

it("counts as stolen what the host gave to others, guests' time only once", () => {
	const before = [100, 0, 50, 800, 10, 0, 5, 35, 100, 0];
	const after = [150, 10, 60, 810, 10, 0, 10, 50, 150, 10];
	expect(stolenShare(before, after)).toBeCloseTo(0.15);
	expect(stolenShare(before, before)).toBe(0);
});

it("tells the quickest and the slowest check", async () => {
	const steadiness = await watchSteadiness();
	steadiness.check();
	steadiness.check();
	const told = /calculation took (\d+) to (\d+) ms[.;]/.exec(
		await steadiness.describe(),
	);
	const [quickest, slowest] = [Number(told?.[1]), Number(told?.[2])];
	expect(quickest).toBeGreaterThan(0);
	expect(slowest).toBeGreaterThanOrEqual(quickest);
});
