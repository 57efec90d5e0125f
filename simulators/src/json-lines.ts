import { existsSync, readFileSync, writeFileSync } from "node:fs";

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

/** All of them or with an error. The line before may have been cut by a full disk: theirs begin anew. */
export function appendRecords(file: number, records: readonly object[]): void {
	writeFileSync(file, `\n${toLines(records)}`);
}

export function toLines(records: readonly object[]): string {
	return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
