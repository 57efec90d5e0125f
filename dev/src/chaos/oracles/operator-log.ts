import { open } from "node:fs/promises";
import type { Submit } from "@airtower/simulators/smsc/submit-log";

/** Parts that the simulated operator took, by its own log on disk: `<tag> <recipient> <part>`. */
export class OperatorLog {
	readonly #path: string;
	readonly #counts = new Map<string, number>();
	#offset = 0;

	constructor(path: string) {
		this.#path = path;
	}

	/** How often each part was taken. */
	async read(): Promise<ReadonlyMap<string, number>> {
		for (const line of await this.#newLines()) {
			const { status, text, destination, part } = JSON.parse(line) as Submit;
			const tag = /#[\w-]+#/.exec(text)?.[0];
			if (status !== 0 || tag === undefined) continue;
			const key = partKey(tag, destination, part);
			this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
		}
		return this.#counts;
	}

	async #newLines(): Promise<string[]> {
		const file = await open(this.#path);
		try {
			const { size } = await file.stat();
			const bytes = Buffer.alloc(size - this.#offset);
			await file.read(bytes, 0, bytes.length, this.#offset);
			const end = bytes.lastIndexOf("\n") + 1;
			this.#offset += end;
			return bytes.toString("utf8", 0, end).split("\n").filter(Boolean);
		} finally {
			await file.close();
		}
	}
}

export function partKey(tag: string, recipient: string, part: number): string {
	return `${tag} ${recipient.replace("+", "")} ${part}`;
}
