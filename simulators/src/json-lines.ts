import {
	closeSync,
	existsSync,
	openSync,
	readFileSync,
	writeFileSync,
} from "node:fs";

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

/** A file of records that only grows; without a path nothing is written. */
export class LogFile {
	readonly #file: number | undefined;
	#records: object[] = [];

	constructor(path?: string) {
		this.#file = path === undefined ? undefined : openSync(path, "a", 0o600);
	}

	/** Takes a record, which is on file after `flush`. */
	append(record: object): void {
		if (this.#file !== undefined) this.#records.push(record);
	}

	flush(): void {
		if (this.#file === undefined || this.#records.length === 0) return;
		writeFileSync(this.#file, toLines(this.#records));
		this.#records = [];
	}

	close(): void {
		this.flush();
		if (this.#file !== undefined) closeSync(this.#file);
	}
}
