import { expect, test } from "vitest";
import { retryDelayMs } from "./attempt-outcome.ts";

test.each([
	[1, 2_000],
	[2, 4_000],
	[5, 32_000],
	[10, 600_000],
	[1_000, 600_000],
])("after refusal %i a message waits %i ms", (refusals, expected) => {
	expect(retryDelayMs(refusals, 0.5)).toBe(expected);
});

test("a pause varies by a fifth", () => {
	expect(retryDelayMs(1, 0)).toBe(1_600);
	expect(retryDelayMs(1, 0.999_999)).toBe(2_400);
});
