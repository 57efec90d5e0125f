import {
	createWriteStream,
	existsSync,
	mkdirSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	type WriteStream,
} from "node:fs";
import { basename, dirname, join } from "node:path";

interface LogFileOptions {
	/** A file that has grown to this size is moved aside, octets. */
	readonly maxOctets?: number;
	/** Files that were moved aside are deleted so many days after their last line. */
	readonly keptDays?: number;
	/** Of those moved aside the latest so many are kept, however young others are. */
	readonly keptFiles?: number;
}

interface LogFile {
	write(line: string): void;
	close(): Promise<void>;
}

const MAX_OCTETS = 20_000_000;
export const LOG_DAYS = 7;
const KEPT_FILES = 10;
const DAY_MS = 86_400_000;
/** Between two looks whether lines still reach the file, ms. */
const LOOK_EVERY_MS = 1_000;

/** Appends lines to a file that its owner alone can read. Files moved aside have the time of that in their names. */
export function openLogFile(
	path: string,
	{
		maxOctets = MAX_OCTETS,
		keptDays = LOG_DAYS,
		keptFiles = KEPT_FILES,
	}: LogFileOptions = {},
): LogFile {
	const folder = dirname(path);
	mkdirSync(folder, { recursive: true });
	let size = sizeOf(path);
	if (size >= maxOctets) moveAside();
	deleteOld();
	let stream = open(path);
	let lookAt = 0;

	/** A file that somebody has removed takes lines that nobody can read, and one that failed, as on a full disk, none. */
	function openAnew(): void {
		if (performance.now() < lookAt) return;
		lookAt = performance.now() + LOOK_EVERY_MS;
		const isRemoved = !stream.pending && !existsSync(path);
		if (stream.errored === null && !isRemoved) return;
		if (!existsSync(folder)) return;
		stream.end();
		size = sizeOf(path);
		stream = open(path);
	}

	function moveAside(): void {
		size = 0;
		let at = Date.now();
		// One moved aside in this millisecond would be overwritten.
		while (existsSync(asidePath(path, at))) at++;
		try {
			renameSync(path, asidePath(path, at));
		} catch {
			// Somebody has moved or removed it: the next one begins all the same.
		}
	}

	function deleteOld(): void {
		// Somebody may have removed the folder: the processes go on all the same.
		if (!existsSync(folder)) return;
		const since = Date.now() - keptDays * DAY_MS;
		const asides = readdirSync(folder)
			.filter((name) => name.startsWith(`${basename(path)}.`))
			// By name, latest first: it has the time of the move.
			.sort((a, b) => (a < b ? 1 : -1))
			.map((name) => join(folder, name));
		for (const [index, aside] of asides.entries())
			if (index >= keptFiles || lastWrittenAt(aside) < since)
				rmSync(aside, { force: true });
	}

	return {
		write(line) {
			openAnew();
			const text = `${line}\n`;
			stream.write(text);
			size += Buffer.byteLength(text);
			// One that is still being opened would be opened under the old name.
			if (size < maxOctets || stream.pending) return;
			stream.end();
			moveAside();
			deleteOld();
			stream = open(path);
		},
		close: () => new Promise((resolve) => stream.end(resolve)),
	};
}

function sizeOf(path: string): number {
	return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function asidePath(path: string, at: number): string {
	return `${path}.${new Date(at).toISOString().replaceAll(":", "-")}`;
}

function lastWrittenAt(path: string): number {
	return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function open(path: string): WriteStream {
	const stream = createWriteStream(path, { flags: "a", mode: 0o600 });
	// A full disk must not end the supervisor: the services go on without their log.
	stream.on("error", () => {});
	return stream;
}

/** How lines end that tell of one request or call. */
const REQUEST_LINE = /"msg":"(request|rpc)"\}$/;
/** They say what the metrics count; the latest are enough. */
const KEPT_REQUEST_FILES = 1;

/** The log of a process, whose lines about single requests go to a file beside it: they would push out all others. */
export function openProcessLog(path: string, keptDays?: number): LogFile {
	const log = openLogFile(path, keptDays === undefined ? {} : { keptDays });
	let requests: LogFile | undefined;
	return {
		write(line) {
			if (!REQUEST_LINE.test(line)) return log.write(line);
			requests ??= openLogFile(path.replace(/(\.log)?$/, "-requests.log"), {
				keptFiles: KEPT_REQUEST_FILES,
			});
			requests.write(line);
		},
		close: async () => {
			await Promise.all([log.close(), requests?.close()]);
		},
	};
}
