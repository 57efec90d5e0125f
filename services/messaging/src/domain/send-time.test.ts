import { expect, test } from "vitest";
import { isSendTime, MAX_AHEAD_MS } from "./send-time.ts";

const now = new Date("2026-11-26T12:00:00Z");

test.each([
	["a moment ago", -1, false],
	["now", 0, false],
	["in a millisecond", 1, true],
	["in 30 days", MAX_AHEAD_MS, true],
	["a millisecond later than that", MAX_AHEAD_MS + 1, false],
])("%s", (_, aheadMs, isTaken) => {
	expect(isSendTime(new Date(now.getTime() + aheadMs), now)).toBe(isTaken);
});
