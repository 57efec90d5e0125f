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

const [file, release] = process.argv.slice(2);
if (file === undefined || release === undefined)
	throw new Error("Name the file map_data.txt and its release.");

const zonesOfPrefix = new Map(
	(await readFile(file, "utf8"))
		.split("\n")
		.map((line) => line.trim().split("|"))
		.flatMap(([prefix = "", zones]) =>
			/^\d+$/.test(prefix) && zones ? [[prefix, zones] as const] : [],
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

function zonesOfShorter(prefix: string): string | undefined {
	for (let length = prefix.length - 1; length > 0; length--) {
		const zones = zonesOfPrefix.get(prefix.slice(0, length));
		if (zones !== undefined) return zones;
	}
	return undefined;
}
