import { expect, test } from "vitest";
import { dueDays, firstKeptDay } from "./due-days.ts";

test.each([
	{ now: "2026-03-08T00:59:59.999Z", last: "2026-03-06", first: "2026-02-28" },
	{ now: "2026-03-08T01:00:00.000Z", last: "2026-03-07", first: "2026-03-01" },
	{ now: "2026-03-08T23:59:59.999Z", last: "2026-03-07", first: "2026-03-01" },
])(
	"a day is due from 01:00 of the next one on, for a week: at $now",
	({ now, first, last }) => {
		const days = dueDays(new Date(now));
		expect(days).toHaveLength(7);
		expect(days.at(0)).toBe(first);
		expect(days.at(-1)).toBe(last);
	},
);

test("a day that may be due is still known to be told of, two days later too", () => {
	for (const hour of ["00", "01", "23"]) {
		const now = new Date(`2026-03-08T${hour}:30:00Z`);
		const [first = ""] = dueDays(new Date(now.getTime() - 86_400_000));
		expect(first >= firstKeptDay(now)).toBe(true);
	}
});
