import { createWriteStream, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** A log of an earlier run above this size is moved aside, bytes. */
const MAX_BYTES = 20_000_000;

export interface LogFile {
	write(line: string): void;
	close(): Promise<void>;
}

/** Appends lines to a file that its owner alone can read; one older file is kept. */
export function openLogFile(path: string): LogFile {
	mkdirSync(dirname(path), { recursive: true });
	if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES)
		renameSync(path, `${path}.1`);
	const stream = createWriteStream(path, { flags: "a", mode: 0o600 });
	// A full disk must not end the supervisor: the services go on without their log.
	stream.on("error", () => {});
	return {
		write: (line) => stream.write(`${line}\n`),
		close: () => new Promise((resolve) => stream.end(resolve)),
	};
}
