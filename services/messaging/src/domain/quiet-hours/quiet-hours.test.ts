import fc from "fast-check";
import { expect, test } from "vitest";
import { localMinute } from "./local-minute.ts";
import {
	firstAllowed,
	isQuiet,
	leavesOpen,
	MAX_WAIT_MS,
	type QuietHours,
} from "./quiet-hours.ts";
import data from "./zones.json" with { type: "json" };

/** The expected times are of Python's zoneinfo, which has the zones from elsewhere. */
const cases: readonly [string, string, string, string, string][] = [
	[
		"by day nothing waits",
		"Europe/Paris",
		"21:00-08:00",
		"2026-11-26T12:00:00Z",
		"at once",
	],
	[
		"the last minute before them is open",
		"Europe/Paris",
		"21:00-08:00",
		"2026-11-26T19:59:59.999Z",
		"at once",
	],
	[
		"their first minute is quiet",
		"Europe/Paris",
		"21:00-08:00",
		"2026-11-26T20:00:00Z",
		"2026-11-27T07:00",
	],
	[
		"in the evening",
		"Europe/Paris",
		"21:00-08:00",
		"2026-11-26T21:30:00Z",
		"2026-11-27T07:00",
	],
	[
		"at local midnight",
		"Europe/Paris",
		"21:00-08:00",
		"2026-11-26T23:00:00Z",
		"2026-11-27T07:00",
	],
	[
		"in the early morning",
		"Europe/Paris",
		"21:00-08:00",
		"2026-11-26T03:07:11Z",
		"2026-11-26T07:00",
	],
	[
		"a millisecond before their end",
		"Europe/Paris",
		"21:00-08:00",
		"2026-11-27T06:59:59.999Z",
		"2026-11-27T07:00",
	],
	[
		"at their end",
		"Europe/Paris",
		"21:00-08:00",
		"2026-11-27T07:00:00Z",
		"at once",
	],
	[
		"in summer an hour earlier by UTC",
		"Europe/Paris",
		"21:00-08:00",
		"2026-07-01T23:00:00Z",
		"2026-07-02T06:00",
	],
	[
		"the night of the change to summer time",
		"Europe/Paris",
		"21:00-08:00",
		"2026-03-28T21:00:00Z",
		"2026-03-29T06:00",
	],
	[
		"the night of the change to winter time",
		"Europe/Paris",
		"21:00-08:00",
		"2026-10-24T21:00:00Z",
		"2026-10-25T07:00",
	],
	[
		"hours within a day",
		"Europe/Paris",
		"12:00-14:00",
		"2026-11-26T11:20:00Z",
		"2026-11-26T13:00",
	],
	[
		"before hours within a day",
		"Europe/Paris",
		"12:00-14:00",
		"2026-11-26T10:59:00Z",
		"at once",
	],
	[
		"after hours within a day",
		"Europe/Paris",
		"12:00-14:00",
		"2026-11-26T13:00:00Z",
		"at once",
	],
	[
		"hours from midnight on",
		"Europe/Paris",
		"00:00-09:00",
		"2026-11-26T23:30:00Z",
		"2026-11-27T08:00",
	],
	[
		"hours until midnight",
		"Europe/Paris",
		"20:00-00:00",
		"2026-11-26T20:10:00Z",
		"2026-11-26T23:00",
	],
	[
		"an end between two quarter hours: at the next one",
		"Europe/Paris",
		"21:00-08:05",
		"2026-11-27T02:00:00Z",
		"2026-11-27T07:15",
	],
	[
		"a start between two quarter hours",
		"Europe/Paris",
		"21:10-08:00",
		"2026-11-26T20:09:00Z",
		"at once",
	],
	[
		"a minute later",
		"Europe/Paris",
		"21:10-08:00",
		"2026-11-26T20:10:00Z",
		"2026-11-27T07:00",
	],
	[
		"one open hour: before it",
		"Europe/Paris",
		"13:00-12:00",
		"2026-11-26T09:00:00Z",
		"2026-11-26T11:00",
	],
	[
		"one open hour: within",
		"Europe/Paris",
		"13:00-12:00",
		"2026-11-26T11:59:00Z",
		"at once",
	],
	[
		"one open hour: after it",
		"Europe/Paris",
		"13:00-12:00",
		"2026-11-26T12:00:00Z",
		"2026-11-27T11:00",
	],
	[
		"an open hour that the clock skips: the next day",
		"Europe/Paris",
		"03:00-02:00",
		"2026-03-28T12:00:00Z",
		"2026-03-30T00:00",
	],
	[
		"an open hour that comes twice: the first",
		"Europe/Paris",
		"03:00-02:00",
		"2026-10-24T12:00:00Z",
		"2026-10-25T00:00",
	],
	[
		"quiet until an hour that the clock skips",
		"Europe/Paris",
		"21:00-02:30",
		"2026-03-28T23:00:00Z",
		"2026-03-29T01:00",
	],
	[
		"quiet until an hour that comes twice: the first",
		"Europe/Paris",
		"21:00-02:30",
		"2026-10-24T23:00:00Z",
		"2026-10-25T00:30",
	],
	[
		"the second of those hours is quiet again",
		"Europe/Paris",
		"01:30-02:45",
		"2026-10-25T01:15:00Z",
		"2026-10-25T01:45",
	],
	[
		"New York in winter",
		"America/New_York",
		"21:00-08:00",
		"2026-01-15T03:00:00Z",
		"2026-01-15T13:00",
	],
	[
		"New York in summer",
		"America/New_York",
		"21:00-08:00",
		"2026-07-15T03:00:00Z",
		"2026-07-15T12:00",
	],
	[
		"New York, change to summer time",
		"America/New_York",
		"21:00-08:00",
		"2026-03-08T05:00:00Z",
		"2026-03-08T12:00",
	],
	[
		"New York, change to winter time",
		"America/New_York",
		"21:00-08:00",
		"2026-11-01T04:00:00Z",
		"2026-11-01T13:00",
	],
	[
		"Los Angeles",
		"America/Los_Angeles",
		"21:00-08:00",
		"2026-11-26T12:00:00Z",
		"2026-11-26T16:00",
	],
	[
		"Phoenix has no summer time",
		"America/Phoenix",
		"21:00-08:00",
		"2026-07-15T12:00:00Z",
		"2026-07-15T15:00",
	],
	[
		"Denver has",
		"America/Denver",
		"21:00-08:00",
		"2026-07-15T12:00:00Z",
		"2026-07-15T14:00",
	],
	[
		"Honolulu",
		"Pacific/Honolulu",
		"21:00-08:00",
		"2026-11-26T08:00:00Z",
		"2026-11-26T18:00",
	],
	[
		"Adak",
		"America/Adak",
		"21:00-08:00",
		"2026-11-26T08:00:00Z",
		"2026-11-26T18:00",
	],
	[
		"São Paulo",
		"America/Sao_Paulo",
		"21:00-08:00",
		"2026-11-26T02:00:00Z",
		"2026-11-26T11:00",
	],
	[
		"St. John's, three and a half hours behind",
		"America/St_Johns",
		"21:00-08:00",
		"2026-11-26T02:00:00Z",
		"2026-11-26T11:30",
	],
	[
		"St. John's in summer",
		"America/St_Johns",
		"21:00-08:00",
		"2026-07-26T02:00:00Z",
		"2026-07-26T10:30",
	],
	[
		"Marquesas, nine and a half hours behind",
		"Pacific/Marquesas",
		"21:00-08:00",
		"2026-11-26T08:00:00Z",
		"2026-11-26T17:30",
	],
	[
		"India, five and a half hours ahead",
		"Asia/Calcutta",
		"21:00-08:00",
		"2026-11-26T18:00:00Z",
		"2026-11-27T02:30",
	],
	[
		"Nepal, five and three quarter hours ahead",
		"Asia/Katmandu",
		"21:00-08:00",
		"2026-11-26T18:00:00Z",
		"2026-11-27T02:15",
	],
	[
		"Nepal, the minute before them",
		"Asia/Katmandu",
		"21:00-08:00",
		"2026-11-26T15:14:59Z",
		"at once",
	],
	[
		"Nepal, their first minute",
		"Asia/Katmandu",
		"21:00-08:00",
		"2026-11-26T15:15:00Z",
		"2026-11-27T02:15",
	],
	[
		"Eucla, eight and three quarter hours ahead",
		"Australia/Eucla",
		"21:00-08:00",
		"2026-11-26T18:00:00Z",
		"2026-11-26T23:15",
	],
	[
		"Chatham, in its summer",
		"Pacific/Chatham",
		"21:00-08:00",
		"2026-12-26T12:00:00Z",
		"2026-12-26T18:15",
	],
	[
		"Chatham, in its winter",
		"Pacific/Chatham",
		"21:00-08:00",
		"2026-06-26T12:00:00Z",
		"2026-06-26T19:15",
	],
	[
		"Chatham, change to summer time",
		"Pacific/Chatham",
		"21:00-08:00",
		"2026-09-26T10:00:00Z",
		"2026-09-26T18:15",
	],
	[
		"Chatham, change to winter time",
		"Pacific/Chatham",
		"21:00-08:00",
		"2026-04-04T10:00:00Z",
		"2026-04-04T19:15",
	],
	[
		"Lord Howe puts its clock half an hour forward",
		"Australia/Lord_Howe",
		"21:00-08:00",
		"2026-10-03T12:00:00Z",
		"2026-10-03T21:00",
	],
	[
		"Lord Howe puts its clock half an hour back",
		"Australia/Lord_Howe",
		"21:00-08:00",
		"2026-04-04T12:00:00Z",
		"2026-04-04T21:30",
	],
	[
		"Kabul, four and a half hours ahead",
		"Asia/Kabul",
		"21:00-08:00",
		"2026-11-26T18:00:00Z",
		"2026-11-27T03:30",
	],
	[
		"Yangon, six and a half hours ahead",
		"Asia/Rangoon",
		"21:00-08:00",
		"2026-11-26T18:00:00Z",
		"2026-11-27T01:30",
	],
	[
		"Adelaide, nine and a half hours ahead",
		"Australia/Adelaide",
		"21:00-08:00",
		"2026-06-26T18:00:00Z",
		"2026-06-26T22:30",
	],
	[
		"Darwin keeps its clock",
		"Australia/Darwin",
		"21:00-08:00",
		"2026-12-26T18:00:00Z",
		"2026-12-26T22:30",
	],
	[
		"Kiritimati, fourteen hours ahead",
		"Pacific/Kiritimati",
		"21:00-08:00",
		"2026-11-26T10:00:00Z",
		"2026-11-26T18:00",
	],
	[
		"Pago Pago, eleven hours behind",
		"Pacific/Pago_Pago",
		"21:00-08:00",
		"2026-11-26T10:00:00Z",
		"2026-11-26T19:00",
	],
	[
		"Tokyo",
		"Asia/Tokyo",
		"21:00-08:00",
		"2026-11-26T14:00:00Z",
		"2026-11-26T23:00",
	],
	[
		"Sydney, change to summer time",
		"Australia/Sydney",
		"21:00-08:00",
		"2026-10-03T12:00:00Z",
		"2026-10-03T21:00",
	],
	[
		"Sydney, change to winter time",
		"Australia/Sydney",
		"21:00-08:00",
		"2026-04-04T12:00:00Z",
		"2026-04-04T22:00",
	],
	[
		"Santiago, change to winter time at midnight",
		"America/Santiago",
		"21:00-08:00",
		"2026-04-05T01:00:00Z",
		"2026-04-05T12:00",
	],
	[
		"Santiago, change to summer time at midnight",
		"America/Santiago",
		"21:00-08:00",
		"2026-09-06T02:00:00Z",
		"2026-09-06T11:00",
	],
	[
		"Cairo, change to summer time at midnight",
		"Africa/Cairo",
		"21:00-08:00",
		"2026-04-23T20:00:00Z",
		"2026-04-24T05:00",
	],
	[
		"Moscow",
		"Europe/Moscow",
		"21:00-08:00",
		"2026-11-26T20:00:00Z",
		"2026-11-27T05:00",
	],
	["UTC", "UTC", "21:00-08:00", "2026-11-26T22:00:00Z", "2026-11-27T08:00"],
	[
		"the end of the year",
		"Europe/Paris",
		"21:00-08:00",
		"2026-12-31T23:30:00Z",
		"2027-01-01T07:00",
	],
	[
		"the leap day",
		"Europe/Paris",
		"21:00-08:00",
		"2028-02-28T22:30:00Z",
		"2028-02-29T07:00",
	],
	[
		"two zones: the later morning counts",
		"America/New_York America/Los_Angeles",
		"21:00-08:00",
		"2026-11-26T06:00:00Z",
		"2026-11-26T16:00",
	],
	[
		"two zones: the earlier evening counts",
		"America/New_York America/Los_Angeles",
		"21:00-08:00",
		"2026-11-27T02:30:00Z",
		"2026-11-27T16:00",
	],
	[
		"two zones, both open",
		"America/New_York America/Los_Angeles",
		"21:00-08:00",
		"2026-11-26T18:00:00Z",
		"at once",
	],
	[
		"the zones of Spain",
		"Atlantic/Canary Europe/Madrid",
		"21:00-08:00",
		"2026-11-26T22:00:00Z",
		"2026-11-27T08:00",
	],
	[
		"the zones of Portugal",
		"Atlantic/Azores Europe/Lisbon",
		"21:00-08:00",
		"2026-11-26T22:00:00Z",
		"2026-11-27T09:00",
	],
	[
		"the zones of Mongolia",
		"Asia/Choibalsan Asia/Hovd Asia/Ulaanbaatar",
		"21:00-08:00",
		"2026-11-26T14:00:00Z",
		"2026-11-27T01:00",
	],
	[
		"two zones of which one has changed its clock",
		"America/New_York Europe/London",
		"21:00-08:00",
		"2026-03-20T21:00:00Z",
		"2026-03-21T12:00",
	],
	[
		"two zones with a quarter hour in common",
		"Asia/Katmandu Asia/Calcutta",
		"09:30-08:15",
		"2026-11-26T12:00:00Z",
		"2026-11-27T02:45",
	],
	[
		"no open time in common: where it is quiet in one of two",
		"Asia/Tokyo America/New_York",
		"12:00-10:00",
		"2026-11-26T20:00:00Z",
		"2026-11-27T01:00",
	],
	[
		"no open time in common, and open in one now",
		"Asia/Tokyo America/New_York",
		"12:00-10:00",
		"2026-11-26T15:30:00Z",
		"at once",
	],
	[
		"no open time in common: where the most of three are open",
		"Asia/Tokyo Europe/Paris Europe/Rome",
		"14:00-10:00",
		"2026-11-26T20:00:00Z",
		"2026-11-27T09:00",
	],
];

const minuteOf = (text = ""): number =>
	Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

function hoursFrom(text: string): QuietHours {
	const [start, end] = text.split("-");
	return { start: minuteOf(start), end: minuteOf(end) };
}

test.each(cases)("%s (%s, %s, %s)", (_, zones, hours, time, expected) => {
	const at = new Date(time);
	const allowed = firstAllowed(at, hoursFrom(hours), zones.split(" "));
	const then = expected === "at once" ? at : new Date(`${expected}:00.000Z`);
	expect(allowed.toISOString()).toBe(then.toISOString());
});

test.each([
	["21:00-08:00", true],
	["13:00-12:00", true],
	["12:59-12:00", false],
	["12:00-12:00", false],
	["00:00-23:00", true],
	["00:00-23:01", false],
])("whether %s leaves an hour open: %s", (hours, isOpen) => {
	expect(leavesOpen(hoursFrom(hours))).toBe(isOpen);
});

const QUARTER_MS = 15 * 60_000;
const nextQuarter = (at: number) =>
	(Math.floor(at / QUARTER_MS) + 1) * QUARTER_MS;
/** Both zones are open for a minute a day, 19:01 to 19:02 UTC, in which no quarter hour begins. */
const OPEN_BETWEEN_QUARTERS: [Date, QuietHours, string[]] = [
	new Date("2027-12-29T19:31:00Z"),
	{ start: 2, end: 901 },
	["Asia/Aqtobe", "America/Puerto_Rico"],
];
const zoneSets = Object.keys(data.prefixes).map((zones) => zones.split("&"));
const zones = fc.oneof(
	fc.constantFrom(...zoneSets),
	fc.uniqueArray(fc.constantFrom(...new Set(zoneSets.flat())), {
		minLength: 1,
		maxLength: 4,
	}),
);
const minute = fc.integer({ min: 0, max: 1_439 });
const hours = fc.record({ start: minute, end: minute }).filter(leavesOpen);
const time = fc.date({
	min: new Date("2025-01-01T00:00:00Z"),
	max: new Date("2027-12-31T00:00:00Z"),
	noInvalidDate: true,
});

test("the result is quiet in no zone, or in the fewest where none is open in all, and no quarter hour before it was so", () => {
	fc.assert(
		fc.property(time, hours, zones, (time, hours, zones) => {
			const quietAt = (at: number) =>
				zones.filter((zone) => isQuiet(hours, localMinute(zone, at))).length;
			const allowed = firstAllowed(time, hours, zones).getTime();
			const quiet = quietAt(allowed);
			const last = time.getTime() + MAX_WAIT_MS;
			expect(allowed).toBeLessThanOrEqual(last);
			let at = time.getTime();
			for (; at < allowed; at = nextQuarter(at))
				expect(quietAt(at)).toBeGreaterThan(quiet);
			expect(at).toBe(allowed);
			if (zones.length === 1) expect(quiet).toBe(0);
			if (quiet === 0) return;
			for (; at <= last; at = nextQuarter(at))
				expect(quietAt(at)).toBeGreaterThanOrEqual(quiet);
		}),
		{ numRuns: 200, examples: [OPEN_BETWEEN_QUARTERS] },
	);
});
