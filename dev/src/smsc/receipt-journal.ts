import {
	closeSync,
	existsSync,
	ftruncateSync,
	openSync,
	readFileSync,
	renameSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import type { PendingReceipt } from "./receipt.ts";

/** A file without a waiting receipt is emptied once it has so many lines. */
const EMPTY_FROM_LINES = 10_000;

type Line =
	| { readonly ordered: Omit<PendingReceipt, "number"> & { number: string } }
	| { readonly taken: string };

/** Keeps receipts on file until a client has taken them, when a file is named: a restart forgets none. */
export class ReceiptJournal {
	/** What no client of an earlier run has taken, oldest first. */
	readonly kept: readonly PendingReceipt[] = [];
	readonly #file: number | undefined;
	#waiting = 0;
	#lineCount = 0;
	#lines: string[] = [];

	constructor(file?: string) {
		if (file === undefined) return;
		this.kept = existsSync(file) ? notTaken(readFileSync(file, "utf8")) : [];
		// With what still waits alone, and whole lines: the last run may have ended within one.
		writeFileSync(`${file}.new`, this.kept.map(orderedLine).join(""), {
			mode: 0o600,
		});
		renameSync(`${file}.new`, file);
		this.#file = openSync(file, "a");
		this.#waiting = this.kept.length;
		this.#lineCount = this.kept.length;
	}

	ordered(receipt: PendingReceipt): void {
		if (this.#file === undefined) return;
		this.#waiting++;
		this.#append(orderedLine(receipt));
	}

	taken({ number }: PendingReceipt): void {
		if (this.#file === undefined) return;
		this.#waiting--;
		this.#append(writeLine({ taken: String(number) }));
	}

	/** Writes to the file. Called before answers leave: the receipt of what a client was told is always on file. */
	flush(): void {
		if (this.#file === undefined || this.#lines.length === 0) return;
		if (this.#waiting === 0 && this.#lineCount >= EMPTY_FROM_LINES) {
			ftruncateSync(this.#file);
			this.#lineCount = 0;
		} else writeSync(this.#file, this.#lines.join(""));
		this.#lines = [];
	}

	close(): void {
		this.flush();
		if (this.#file !== undefined) closeSync(this.#file);
	}

	#append(line: string): void {
		this.#lineCount++;
		this.#lines.push(line);
	}
}

function orderedLine(receipt: PendingReceipt): string {
	return writeLine({
		ordered: { ...receipt, number: String(receipt.number) },
	});
}

function writeLine(line: Line): string {
	return `${JSON.stringify(line)}\n`;
}

/** A part may have several receipts; each one taken ends one of them. */
function notTaken(text: string): PendingReceipt[] {
	const waiting = new Map<string, PendingReceipt[]>();
	for (const whole of text.split("\n").slice(0, -1)) {
		const line = JSON.parse(whole) as Line;
		if ("taken" in line) {
			const receipts = waiting.get(line.taken);
			receipts?.pop();
			if (receipts?.length === 0) waiting.delete(line.taken);
		} else {
			const { number } = line.ordered;
			const receipt = { ...line.ordered, number: BigInt(number) };
			waiting.set(number, [...(waiting.get(number) ?? []), receipt]);
		}
	}
	return [...waiting.values()].flat();
}
