/**
 * Renews the table of the time zones of phone numbers.
 * Call: node dev/src/time-zones/write-zones.ts <map_data.txt> <release>, with the file resources/timezones/map_data.txt
 * of that release of github.com/google/libphonenumber.
 */
import { readFile, writeFile } from "node:fs/promises";

const TABLE = new URL(
	"../../../services/messaging/src/domain/quiet-hours/zones.json",
	import.meta.url,
);

/**
 * Zones of other countries that the file gives numbers of a country, by what these begin with, and the country's own:
 * their clocks are an hour apart for a part of the year or all of it. A test compares all countries with their calendars.
 */
const OWN_ZONES: readonly [prefix: string, foreign: string, own: string][] = [
	["211", "Africa/Nairobi", "Africa/Juba"],
	["212", "Atlantic/Canary", "Africa/Casablanca"],
	["213", "Europe/Paris", "Africa/Algiers"],
	["218", "Europe/Bucharest", "Africa/Tripoli"],
	["505", "America/Chicago", "America/Managua"],
	["52", "America/New_York", "America/Cancun"],
	["7", "Europe/Bucharest", "Europe/Kaliningrad"],
	["970", "Europe/Bucharest", "Asia/Gaza"],
];

const [file, release] = process.argv.slice(2);
if (file === undefined || release === undefined)
	throw new Error("Name the file map_data.txt and its release.");

const zonesOfPrefix = new Map(
	(await readFile(file, "utf8"))
		.split("\n")
		.map((line) => line.trim().split("|"))
		.flatMap(([prefix = "", zones]) =>
			/^\d+$/.test(prefix) && zones
				? [[prefix, withOwnZones(prefix, zones)] as const]
				: [],
		),
);
/** Without those that say the same as the next shorter prefix. */
const telling = [...zonesOfPrefix].filter(
	([prefix, zones]) => zonesOfShorter(prefix) !== zones,
);
const byZones = Map.groupBy(telling, ([, zones]) => zones);
const prefixes = [...byZones].map(
	([zones, rows]) => [zones, rows.map(([prefix]) => prefix).join(" ")] as const,
);
const table = {
	source: `libphonenumber ${release}, resources/timezones/map_data.txt, grouped by zones`,
	copyright: "Copyright (C) 2012 The Libphonenumber Authors",
	license: "Apache-2.0",
	prefixes: Object.fromEntries(prefixes),
};
await writeFile(TABLE, `${JSON.stringify(table, null, "\t")}\n`);

function withOwnZones(prefix: string, zones: string): string {
	const own = new Map(
		OWN_ZONES.filter(([of]) => prefix.startsWith(of)).map(
			([, foreign, own]) => [foreign, own],
		),
	);
	const all = zones.split("&").map((zone) => own.get(zone) ?? zone);
	return [...new Set(all)].sort().join("&");
}

function zonesOfShorter(prefix: string): string | undefined {
	for (let length = prefix.length - 1; length > 0; length--) {
		const zones = zonesOfPrefix.get(prefix.slice(0, length));
		if (zones !== undefined) return zones;
	}
	return undefined;
}
