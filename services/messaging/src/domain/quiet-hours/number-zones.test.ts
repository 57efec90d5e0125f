import { findCallingCode } from "@airtower/proto/rules/phone-number";
import { getCountries, getCountryCallingCode } from "libphonenumber-js";
import { expect, test } from "vitest";
import { findZones } from "./number-zones.ts";
import data from "./zones.json" with { type: "json" };

test.each([
	["a country with one zone", "+33612345678", "", "Europe/Paris"],
	["New York by its area code", "+12125550123", "", "America/New_York"],
	["Los Angeles by its area code", "+13105550123", "", "America/Los_Angeles"],
	["Phoenix", "+16025550123", "", "America/Phoenix"],
	["Honolulu", "+18085550123", "", "Pacific/Honolulu"],
	[
		"Newfoundland or Labrador",
		"+17095550123",
		"",
		"America/Puerto_Rico America/St_Johns",
	],
	["Jamaica, which has +1 too", "+18765550123", "", "America/Jamaica"],
	["half of Idaho", "+12082995550", "", "America/Boise America/Los_Angeles"],
	["Denver's part of Idaho", "+12082015550", "", "America/Denver"],
	["Nepal", "+9779812345678", "", "Asia/Katmandu"],
	["Algeria", "+213551234567", "", "Africa/Algiers"],
	["Morocco", "+212612345678", "", "Africa/Casablanca"],
	["Moscow", "+74951234567", "", "Europe/Moscow"],
	["Vladivostok", "+74232123456", "", "Asia/Vladivostok"],
	["a mobile of Spain", "+34612345678", "", "Europe/Madrid"],
	["no country, none by default: UTC", "+80012345678", "", "UTC"],
	[
		"no country: those of the default one",
		"+80012345678",
		"FR",
		"Europe/Paris",
	],
	["a network of no country", "+883510012345", "NP", "Asia/Katmandu"],
	["what is no country by default", "+883510012345", "ZZ", "UTC"],
	[
		"the default country of no other number",
		"+33612345678",
		"NP",
		"Europe/Paris",
	],
])("%s: %s, '%s' by default", (_, number, country, zones) => {
	expect(findZones(number, country).join(" ")).toBe(zones);
});

test("a number of a country without areas may be in any of its zones", () => {
	const zones = findZones("+18005550123", "");
	expect(zones).toContain("America/New_York");
	expect(zones).toContain("Pacific/Honolulu");
	expect(zones.length).toBeGreaterThan(30);
});

test("the calendar knows every zone of the table", () => {
	const sets = Object.keys(data.prefixes);
	for (const zone of sets.flatMap((zones) => zones.split("&")))
		expect(
			() => new Intl.DateTimeFormat("en", { timeZone: zone }),
		).not.toThrow();
});

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 0, 1);

/** The hours of a zone's clock at noon of UTC on the days of two years. */
function hoursOf(zone: string): string {
	const { format } = new Intl.DateTimeFormat("en-GB", {
		timeZone: zone,
		hour: "2-digit",
		minute: "2-digit",
	});
	const noons = Array.from(
		{ length: 731 },
		(_, day) => FIRST_DAY + (day + 0.5) * DAY_MS,
	);
	return noons.map((noon) => format(noon)).join();
}

/** None for a country that the calendar does not know. */
function zonesOfCountry(country: string): readonly string[] {
	const locale: Intl.Locale & { getTimeZones?: () => string[] | undefined } =
		new Intl.Locale(`und-${country}`);
	return locale.getTimeZones?.() ?? [];
}

test("each zone of a number has the clock of one of its country's zones", () => {
	const countries = Map.groupBy(
		getCountries(),
		(country) => `+${getCountryCallingCode(country)}`,
	);
	const zones = new Map(
		[...countries].map(([code, of]) => [code, of.flatMap(zonesOfCountry)]),
	);
	const given = Object.entries(data.prefixes).flatMap(([zones, prefixes]) =>
		prefixes
			.split(" ")
			.map((prefix) => findCallingCode(`+${prefix.padEnd(3, "0")}`))
			.flatMap((code) => zones.split("&").map((zone) => `${code} ${zone}`)),
	);
	const hours = new Map<string, string>();
	const known = (zone: string) => {
		const found = hours.get(zone) ?? hoursOf(zone);
		hours.set(zone, found);
		return found;
	};
	const foreign = [...new Set(given)].filter((pair) => {
		const [code = "", zone = ""] = pair.split(" ");
		const own = zones.get(code) ?? [];
		return own.length > 0 && !own.some((other) => known(other) === known(zone));
	});
	expect(foreign).toEqual([]);
});
