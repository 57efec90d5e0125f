import {
	appendFileSync,
	existsSync,
	readFileSync,
	renameSync,
	writeFileSync,
} from "node:fs";

/** How long a user's message opens the window, seconds. */
const WINDOW_S = 24 * 3_600;

interface Inbound {
	readonly phoneNumberId: string;
	/** Digits. */
	readonly from: string;
	/** Unix seconds. */
	readonly timestamp: number;
}

/** When users last wrote to which number; kept in a file when one is named, so that a restart closes no window. */
export class InboundBook {
	readonly #file: string | undefined;
	readonly #latest = new Map<string, Inbound>();

	constructor(file?: string) {
		this.#file = file;
		if (file === undefined) return;
		const text = existsSync(file) ? readFileSync(file, "utf8") : "";
		// What follows the last line end was being written when the last run ended.
		for (const line of text.split("\n").slice(0, -1))
			this.#note(JSON.parse(line) as Inbound);
		const open = [...this.#latest.values()].filter(isOpen);
		writeFileSync(`${file}.new`, open.map(lineOf).join(""), { mode: 0o600 });
		renameSync(`${file}.new`, file);
	}

	/** A user has written. */
	note(inbound: Inbound): void {
		this.#note(inbound);
		if (this.#file !== undefined) appendFileSync(this.#file, lineOf(inbound));
	}

	/** True for a day after the user's last message. */
	isOpen(phoneNumberId: string, user: string): boolean {
		const latest = this.#latest.get(keyOf(phoneNumberId, user));
		return latest !== undefined && isOpen(latest);
	}

	#note(inbound: Inbound): void {
		const key = keyOf(inbound.phoneNumberId, inbound.from);
		const before = this.#latest.get(key)?.timestamp ?? 0;
		if (inbound.timestamp > before) this.#latest.set(key, inbound);
	}
}

function keyOf(phoneNumberId: string, user: string): string {
	return `${phoneNumberId} ${user}`;
}

function isOpen({ timestamp }: Inbound): boolean {
	return timestamp + WINDOW_S > Date.now() / 1_000;
}

function lineOf(inbound: Inbound): string {
	return `${JSON.stringify(inbound)}\n`;
}
