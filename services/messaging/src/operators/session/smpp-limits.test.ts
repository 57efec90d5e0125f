import { expect, test } from "vitest";
import { nextFailures, reconnectDelay } from "./bind-timing.ts";
import { defaultLimits } from "./smpp-limits.ts";

test("the pause between attempts doubles from 1 s to 60 s, with full jitter", () => {
	const bounds = [1, 2, 3, 6, 7, 30].map((failures) =>
		reconnectDelay(failures, 1, defaultLimits),
	);
	expect(bounds).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
	expect(reconnectDelay(3, 0, defaultLimits)).toBe(0);
	expect(reconnectDelay(3, 0.5, defaultLimits)).toBe(2_000);
	expect(reconnectDelay(5_000, 1, defaultLimits)).toBe(60_000);
});

test("after a session that held 5 s the pauses start small again", () => {
	expect(nextFailures(7, 4_999, defaultLimits)).toBe(8);
	expect(nextFailures(7, 5_000, defaultLimits)).toBe(1);
});
