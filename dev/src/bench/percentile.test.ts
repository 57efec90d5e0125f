import { expect, it } from "vitest";
import { percentile } from "./percentile.ts";

it("is the nearest rank", () => {
	const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
	expect(percentile(hundred, 0.99)).toBe(99);
	expect(percentile(hundred, 0.5)).toBe(50);
	expect(percentile(hundred, 1)).toBe(100);
	expect(percentile([7], 0.01)).toBe(7);
	expect(percentile([], 0.5)).toBe(0);
});
