import { openSync, renameSync, writeFileSync } from "node:fs";
import { appendRecords, readRecords, toLines } from "../json-lines.ts";

/** How long a user's message opens the window, seconds. */
const WINDOW_S = 24 * 3_600;

interface Inbound {
	readonly phoneNumberId: string;
	readonly from: string;
	/** Unix seconds. */
	readonly timestamp: number;
}

/** When users last wrote to which number; kept in a file when one is named, so that a restart closes no window. */
export class InboundStore {
	readonly #file: number | undefined;
	readonly #latest = new Map<string, Inbound>();

	constructor(path?: string) {
		if (path === undefined) return;
		for (const inbound of readRecords<Inbound>(path)) this.#keep(inbound);
		const open = [...this.#latest.values()].filter(isOpen);
		writeFileSync(`${path}.new`, toLines(open), { mode: 0o600 });
		renameSync(`${path}.new`, path);
		this.#file = openSync(path, "a");
	}

	add(inbound: Inbound): void {
		this.#keep(inbound);
		if (this.#file !== undefined) appendRecords(this.#file, [inbound]);
	}

	isOpen(phoneNumberId: string, user: string): boolean {
		const latest = this.#latest.get(toKey(phoneNumberId, user));
		return latest !== undefined && isOpen(latest);
	}

	#keep(inbound: Inbound): void {
		const key = toKey(inbound.phoneNumberId, inbound.from);
		const before = this.#latest.get(key)?.timestamp ?? 0;
		if (inbound.timestamp > before) this.#latest.set(key, inbound);
	}
}

function toKey(phoneNumberId: string, user: string): string {
	return `${phoneNumberId} ${user}`;
}

function isOpen({ timestamp }: Inbound): boolean {
	return timestamp + WINDOW_S > Date.now() / 1_000;
}
