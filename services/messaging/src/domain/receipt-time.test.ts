import { expect, test } from "vitest";
import { parseReceiptTime } from "./receipt-time.ts";

const now = new Date("2026-01-02T15:31:30Z");

test.each([
	["2601021531", "2026-01-02T15:31:00.000Z"],
	["260102153107", "2026-01-02T15:31:07.000Z"],
	["20260102153107", "2026-01-02T15:31:07.000Z"],
	["202601021531", "2026-01-02T15:31:00.000Z"],
	["2512311531", "2025-12-31T15:31:00.000Z"],
])("%s is %s", (text, time) => {
	expect(
		parseReceiptTime(text, { now, utcOffsetMinutes: 0 })?.toISOString(),
	).toBe(time);
});

test("the operator's clock may have its own offset", () => {
	const clock = { now, utcOffsetMinutes: 330 };
	expect(parseReceiptTime("2601022101", clock)?.toISOString()).toBe(
		"2026-01-02T15:31:00.000Z",
	);
});

test.each([
	[undefined, "absent"],
	["", "empty"],
	["2601021731", "in the future"],
	["2512291530", "older than 72 h"],
	["0000000000", "zeros"],
	["26-01-02 15:31", "in another form"],
	["26010215", "cut off"],
])("%j is not believed: %s", (text, _why) => {
	expect(parseReceiptTime(text, { now, utcOffsetMinutes: 0 })).toBeUndefined();
});
