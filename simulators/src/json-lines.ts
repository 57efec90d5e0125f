import { existsSync, readFileSync, writeFileSync } from "node:fs";

/**
 * Records of a file that grows by {@link appendRecords}, oldest first; none when there is no such file. A line that a
 * full disk or the end of the process cut short is left out.
 */
export function readRecords<T>(path: string): T[] {
	if (!existsSync(path)) return [];
	return readFileSync(path, "utf8")
		.split("\n")
		.flatMap(parse<T>);
}

function parse<T>(line: string): T[] {
	try {
		return line === "" ? [] : [JSON.parse(line) as T];
	} catch {
		return [];
	}
}

/** Adds records to an open file, all of them or with an error. The line before may have been cut: theirs begin anew. */
export function appendRecords(file: number, records: readonly object[]): void {
	writeFileSync(file, `\n${toLines(records)}`);
}

/** What a file that holds these records alone contains. */
export function toLines(records: readonly object[]): string {
	return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
