import { expect, test } from "vitest";
import { billingPeriodAt } from "./billing-period.ts";

function period(startedAt: string, at: string): string[] {
	const { start, end } = billingPeriodAt(new Date(startedAt), new Date(at));
	return [start.toISOString(), end.toISOString()];
}

test.each([
	["its first moment", "2026-03-10T08:00:00Z", "2026-03-10", "2026-04-10"],
	["its last moment", "2026-04-10T07:59:59.999Z", "2026-03-10", "2026-04-10"],
	["the next one's first", "2026-04-10T08:00:00Z", "2026-04-10", "2026-05-10"],
	["another year", "2028-01-01T00:00:00Z", "2027-12-10", "2028-01-10"],
	["before it began", "2026-01-01T00:00:00Z", "2026-03-10", "2026-04-10"],
])("a period contains %s", (_, at, start, end) => {
	expect(period("2026-03-10T08:00:00.000Z", at)).toEqual([
		`${start}T08:00:00.000Z`,
		`${end}T08:00:00.000Z`,
	]);
});

test("a month without the day begins on its last day, and the day comes back after it", () => {
	const startedAt = "2026-01-31T00:00:00Z";
	expect(period(startedAt, "2026-02-28T00:00:00Z")).toEqual([
		"2026-02-28T00:00:00.000Z",
		"2026-03-31T00:00:00.000Z",
	]);
	expect(period(startedAt, "2028-02-29T12:00:00Z")).toEqual([
		"2028-02-29T00:00:00.000Z",
		"2028-03-31T00:00:00.000Z",
	]);
	expect(period(startedAt, "2028-02-28T23:00:00Z")).toEqual([
		"2028-01-31T00:00:00.000Z",
		"2028-02-29T00:00:00.000Z",
	]);
});
