import {
	createWriteStream,
	mkdirSync,
	renameSync,
	statSync,
	type WriteStream,
} from "node:fs";
import { dirname } from "node:path";

/** A file that has grown to this size is moved aside, octets. */
const MAX_OCTETS = 20_000_000;

export interface LogFile {
	write(line: string): void;
	close(): Promise<void>;
}

/** Appends lines to a file that its owner alone can read; one older file, with ".1" at its end, is kept. */
export function openLogFile(path: string, maxOctets = MAX_OCTETS): LogFile {
	mkdirSync(dirname(path), { recursive: true });
	let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
	if (size >= maxOctets) moveAside();
	let stream = open(path);

	function moveAside(): void {
		size = 0;
		try {
			renameSync(path, `${path}.1`);
		} catch {
			// Somebody has moved or removed it: the next one begins all the same.
		}
	}

	return {
		write(line) {
			const text = `${line}\n`;
			stream.write(text);
			size += Buffer.byteLength(text);
			// One that is still being opened would be opened under the old name.
			if (size < maxOctets || stream.pending) return;
			stream.end();
			moveAside();
			stream = open(path);
		},
		close: () => new Promise((resolve) => stream.end(resolve)),
	};
}

function open(path: string): WriteStream {
	const stream = createWriteStream(path, { flags: "a", mode: 0o600 });
	// A full disk must not end the supervisor: the services go on without their log.
	stream.on("error", () => {});
	return stream;
}
