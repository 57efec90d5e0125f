import { findCountryCode } from "@airtower/proto/rules/phone-number";
import data from "./zones.json" with { type: "json" };

const SEPARATOR = "&";
const UTC: readonly string[] = ["UTC"];

/** By the digits that numbers begin with, country code first. */
const zonesOfPrefix: ReadonlyMap<string, readonly string[]> = new Map(
	Object.entries(data.prefixes).flatMap(([zones, prefixes]) =>
		prefixes
			.split(" ")
			.map((prefix) => [prefix, zones.split(SEPARATOR)] as const),
	),
);
const LONGEST_PREFIX = Math.max(
	...[...zonesOfPrefix.keys()].map(({ length }) => length),
);

/**
 * The time zones in which the phone of a number may be. Those of the default country for a number of no country, such
 * as +800 and +883, and UTC where there is none.
 * @param number E.164 with "+"
 * @param defaultCountry ISO 3166-1 alpha-2, empty for none
 */
export function findZones(
	number: string,
	defaultCountry: string,
): readonly string[] {
	return (
		zonesByPrefix(number.slice(1)) ??
		zonesByPrefix(findCountryCode(defaultCountry) ?? "") ??
		UTC
	);
}

function zonesByPrefix(digits: string): readonly string[] | undefined {
	for (let length = LONGEST_PREFIX; length > 0; length--) {
		const zones = zonesOfPrefix.get(digits.slice(0, length));
		if (zones !== undefined) return zones;
	}
	return undefined;
}
