import { expect, test } from "vitest";
import { retryDelay } from "./retry-delay.ts";

test("a wait doubles with each failure in a row, and stays at the longest however many there are", () => {
	const limits = { firstMs: 100, longestMs: 1_000 };
	const waits = [1, 2, 3, 4, 5, 5_000].map((nth) => retryDelay(nth, limits));
	expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});
