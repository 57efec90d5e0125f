import { expect, test } from "vitest";
import { localMinute, localMinuteOver } from "./local-minute.ts";
import data from "./zones.json" with { type: "json" };

const QUARTER_MS = 15 * 60_000;
const TWO_DAYS_MS = 48 * 3_600_000;
const zones = new Set(
	Object.keys(data.prefixes).flatMap((all) => all.split("&")),
);

test.each([
	["UTC", "2026-11-26T00:00:00Z", 0],
	["Europe/Paris", "2026-11-26T23:59:59.999Z", 59],
	["Asia/Katmandu", "2026-11-26T18:14:00Z", 1_439],
	["Asia/Katmandu", "2026-11-26T18:15:00Z", 0],
])("in %s at %s it is minute %i", (zone, time, minute) => {
	expect(localMinute(zone, Date.parse(time))).toBe(minute);
});

/** In most of these two days some zone changes its clock. */
test.each([
	"2026-03-08",
	"2026-03-29",
	"2026-04-05",
	"2026-09-06",
	"2026-10-04",
	"2026-10-25",
	"2026-11-01",
])(
	"around %s the clock of every zone is told as the calendar has it",
	(day) => {
		const from = Date.parse(`${day}T00:07:00Z`) - TWO_DAYS_MS / 2;
		const until = from + TWO_DAYS_MS;
		for (const zone of zones) {
			const clock = localMinuteOver(zone, from, until);
			const first = Math.ceil(from / QUARTER_MS) * QUARTER_MS;
			const quarters = Array.from(
				{ length: (until - first) / QUARTER_MS },
				(_, nth) => first + nth * QUARTER_MS,
			);
			const times = [from, ...quarters, until];
			expect(times.map(clock), zone).toEqual(
				times.map((time) => localMinute(zone, time)),
			);
		}
	},
);
