import { expect, it } from "vitest";
import { recipientPauseMs, retryDelayMs } from "./attempt-outcome.ts";

it.each([
	[1, 0, 800],
	[1, 0.5, 1_000],
	[2, 0.5, 2_000],
	[5, 0.5, 16_000],
	[30, 0.5, 600_000],
])("refusal %i with random %f waits %i ms", (refusals, random, ms) => {
	expect(retryDelayMs(refusals, random)).toBe(ms);
});

it.each([
	[1, 0, 6_000],
	[1, 0.5, 7_200],
	[2, 0, 12_000],
	[30, 0, 600_000],
])("paced %i times with random %f waits %i ms", (refusals, random, ms) => {
	expect(recipientPauseMs(refusals, random)).toBe(ms);
});
