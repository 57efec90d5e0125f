import { closeSync, openSync, writeFileSync } from "node:fs";
import { toLines } from "./json-lines.ts";

/** A file of records that only grows; without a path nothing is written. */
export class LogFile {
	readonly #file: number | undefined;
	#records: object[] = [];

	constructor(path?: string) {
		this.#file = path === undefined ? undefined : openSync(path, "a", 0o600);
	}

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
