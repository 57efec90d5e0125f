import { expect, test } from "vitest";
import { addMonths } from "./clock.ts";

test.each([
	["2026-01-31T10:00:00Z", 1, "2026-02-28T10:00:00Z"],
	["2028-01-31T10:00:00Z", 1, "2028-02-29T10:00:00Z"],
	["2027-03-31T10:00:00Z", -13, "2026-02-28T10:00:00Z"],
	["2026-12-31T10:00:00Z", -1, "2026-11-30T10:00:00Z"],
	["2026-03-15T10:00:00Z", -3, "2025-12-15T10:00:00Z"],
	["2026-03-15T10:00:00Z", 0, "2026-03-15T10:00:00Z"],
])("%s and %d months are %s", (date, months, moved) => {
	expect(addMonths(new Date(date), months)).toEqual(new Date(moved));
});
