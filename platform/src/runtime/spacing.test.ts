import { expect, test } from "vitest";
import { nextSpacing } from "./spacing.ts";

/** The distance after ten seconds in which so much was idle. */
function settled(idle: number, from = 0): number {
	let spacing = from;
	for (let stretch = 0; stretch < 40; stretch++)
		spacing = nextSpacing(spacing, idle);
	return spacing;
}

test("calls keep no distance while the machine has time to spare", () => {
	for (const idle of [0.25, 0.5, 1])
		expect(settled(idle, 25)).toBeCloseTo(0, 5);
});

test("and the longest while it has none", () => {
	for (const idle of [0, 0.05, 0.1]) expect(settled(idle)).toBeCloseTo(25, 5);
});

test("between the two the distance follows what is idle", () => {
	expect(settled(0.2)).toBeGreaterThan(settled(0.22));
	expect(settled(0.15)).toBeGreaterThan(settled(0.2));
});

test("one busy moment does not set it", () => {
	expect(nextSpacing(0, 0)).toBeLessThan(25);
	expect(nextSpacing(nextSpacing(0, 0), 1)).toBeLessThan(nextSpacing(0, 0));
});
