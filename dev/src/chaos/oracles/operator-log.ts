import { open } from "node:fs/promises";
import type { Submit } from "@airtower/simulators/smsc/submit-log";

/** Read up to an offset. */
interface LogFile {
	readonly path: string;
	offset: number;
}

/** Parts that the simulated operators took, by their own logs on disk: `<tag> <recipient> <part>`. */
export class OperatorLog {
	readonly #files: LogFile[];
	readonly #counts = new Map<string, number>();

	constructor(paths: readonly string[]) {
		this.#files = paths.map((path) => ({ path, offset: 0 }));
	}

	/** How often each part was taken, by all of them together. */
	async read(): Promise<ReadonlyMap<string, number>> {
		for (const file of this.#files) await this.#readNew(file);
		return this.#counts;
	}

	async #readNew(file: LogFile) {
		for (const line of await newLines(file)) {
			const { status, text, destination, part } = JSON.parse(line) as Submit;
			const tag = /#[\w-]+#/.exec(text)?.[0];
			if (status !== 0 || tag === undefined) continue;
			const key = partKey(tag, destination, part);
			this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
		}
	}
}

async function newLines(from: LogFile): Promise<string[]> {
	const file = await open(from.path);
	try {
		const { size } = await file.stat();
		const bytes = Buffer.alloc(size - from.offset);
		await file.read(bytes, 0, bytes.length, from.offset);
		const end = bytes.lastIndexOf("\n") + 1;
		from.offset += end;
		return bytes.toString("utf8", 0, end).split("\n").filter(Boolean);
	} finally {
		await file.close();
	}
}

export function partKey(tag: string, recipient: string, part: number): string {
	return `${tag} ${recipient.replace("+", "")} ${part}`;
}
