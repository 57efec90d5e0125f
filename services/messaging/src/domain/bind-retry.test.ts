import { expect, test } from "vitest";
import { refusedBindWait } from "./bind-retry.ts";

const LIMITS = {
	provenMs: 600_000,
	refusedSoonMs: [10_000, 30_000],
	refusedRetryMs: 300_000,
};
const HOURS = 3 * 3_600_000;

test.each([
	["credentials that never worked", 1, 0, 300_000],
	["a session of seconds before", 1, 5_000, 300_000],
	["the first refusal after a session of hours", 1, HOURS, 10_000],
	["the second", 2, HOURS, 30_000],
	["the third", 3, HOURS, 300_000],
	["the hundredth", 100, HOURS, 300_000],
	["a session of ten minutes", 1, 600_000, 10_000],
	["a session of almost ten minutes", 1, 599_999, 300_000],
])("the wait after %s", (_, refusals, heldMs, waitMs) => {
	expect(refusedBindWait(refusals, heldMs, LIMITS)).toBe(waitMs);
});
