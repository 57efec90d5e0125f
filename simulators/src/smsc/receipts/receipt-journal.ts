import { closeSync, openSync, renameSync, writeFileSync } from "node:fs";
import { appendRecords, readRecords, toLines } from "../../json-lines.ts";
import type { PendingReceipt } from "./receipt.ts";

/** The file is written anew once it has so many lines, and most of them are of no more use. */
const RENEW_FROM_LINES = 10_000;
/** Lines for each receipt that waits: with more of them, most are of no more use. */
const MOST_LINES_PER_RECEIPT = 10;

interface Ordered {
	readonly ordered: Omit<PendingReceipt, "number"> & { number: string };
}
type Line = Ordered | { readonly taken: string };

export class ReceiptJournal {
	readonly kept: readonly PendingReceipt[];
	readonly #path: string | undefined;
	readonly #waiting: Map<string, PendingReceipt>;
	#file = -1;
	#lineCount = 0;
	#lines: Line[] = [];

	constructor(path?: string) {
		this.#path = path;
		this.#waiting = readWaiting(path);
		this.kept = [...this.#waiting.values()];
		this.#renew();
	}

	ordered(receipt: PendingReceipt): void {
		if (this.#path === undefined) return;
		this.#waiting.set(receipt.key, receipt);
		this.#append(toOrderedLine(receipt));
	}

	taken({ key }: PendingReceipt): void {
		if (this.#path === undefined) return;
		this.#waiting.delete(key);
		this.#append({ taken: key });
	}

	/** Writes to the file. Called before responses leave: the receipt of what a client was told is always on file. */
	flush(): void {
		if (this.#lines.length === 0) return;
		const most = MOST_LINES_PER_RECEIPT * this.#waiting.size;
		if (this.#lineCount >= Math.max(RENEW_FROM_LINES, most)) this.#renew();
		else appendRecords(this.#file, this.#lines);
		this.#lines = [];
	}

	close(): void {
		this.flush();
		if (this.#path !== undefined) closeSync(this.#file);
	}

	#append(line: Line): void {
		this.#lineCount++;
		this.#lines.push(line);
	}

	#renew(): void {
		if (this.#path === undefined) return;
		const waiting = [...this.#waiting.values()];
		const path = `${this.#path}.new`;
		writeFileSync(path, toLines(waiting.map(toOrderedLine)), { mode: 0o600 });
		renameSync(path, this.#path);
		if (this.#file >= 0) closeSync(this.#file);
		this.#file = openSync(this.#path, "a");
		this.#lineCount = waiting.length;
	}
}

function readWaiting(path: string | undefined): Map<string, PendingReceipt> {
	const waiting = new Map<string, PendingReceipt>();
	for (const line of path === undefined ? [] : readRecords<Line>(path)) {
		if ("taken" in line) waiting.delete(line.taken);
		else waiting.set(line.ordered.key, fromOrdered(line));
	}
	return waiting;
}

function fromOrdered({ ordered }: Ordered): PendingReceipt {
	return { ...ordered, number: BigInt(ordered.number) };
}

function toOrderedLine(receipt: PendingReceipt): Ordered {
	return { ordered: { ...receipt, number: String(receipt.number) } };
}
