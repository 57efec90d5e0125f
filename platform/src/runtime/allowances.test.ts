import { expect, test } from "vitest";
import { createAllowances } from "./allowances.ts";

test("each key may do a burst at once, then so much a second; what it lacks is told as a wait", () => {
	let now = 0;
	const allowances = createAllowances({
		burst: 3,
		perSecond: 2,
		now: () => now,
	});
	expect([1, 2, 3, 4].map(() => allowances.take("a"))).toEqual([0, 0, 0, 500]);
	expect(allowances.take("b", 3)).toBe(0);
	now = 500;
	expect(allowances.take("a")).toBe(0);
	expect(allowances.take("a")).toBe(500);
	allowances.giveBack("a");
	expect(allowances.take("a")).toBe(0);
	now = 1_000_000;
	expect(allowances.take("a", 4)).toBe(500);
	expect(allowances.take("a", 3)).toBe(0);
});
