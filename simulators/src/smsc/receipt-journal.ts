import { closeSync, openSync, renameSync, writeFileSync } from "node:fs";
import { appendRecords, readRecords, textOf } from "../json-lines.ts";
import type { PendingReceipt } from "./receipt.ts";

/** The file is written anew once it has so many lines, and most of them are of no more use. */
const RENEW_FROM_LINES = 10_000;
/** Lines for each receipt that waits: with more of them, most are of no more use. */
const MOST_LINES_PER_RECEIPT = 10;

type Line =
	| { readonly ordered: Omit<PendingReceipt, "number"> & { number: string } }
	| { readonly taken: string };

/** Keeps receipts on file until a client has taken them, when a file is named: a restart forgets none. */
export class ReceiptJournal {
	/** What no client of an earlier run has taken, oldest first. */
	readonly kept: readonly PendingReceipt[];
	readonly #path: string | undefined;
	readonly #waiting: WaitingReceipts;
	#file = -1;
	#lineCount = 0;
	#lines: Line[] = [];

	constructor(path?: string) {
		this.#path = path;
		this.#waiting = waitingOf(path === undefined ? [] : readRecords(path));
		this.kept = this.#waiting.all();
		// Whole lines only: the last run may have ended within one.
		this.#renew();
	}

	ordered(receipt: PendingReceipt): void {
		if (this.#path === undefined) return;
		this.#waiting.add(receipt);
		this.#append(orderedLine(receipt));
	}

	taken({ number }: PendingReceipt): void {
		if (this.#path === undefined) return;
		this.#waiting.remove(String(number));
		this.#append({ taken: String(number) });
	}

	/** Writes to the file. Called before answers leave: the receipt of what a client was told is always on file. */
	flush(): void {
		if (this.#lines.length === 0) return;
		const most = MOST_LINES_PER_RECEIPT * this.#waiting.count;
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

	/** Writes the file with what waits alone. */
	#renew(): void {
		if (this.#path === undefined) return;
		const waiting = this.#waiting.all();
		const path = `${this.#path}.new`;
		writeFileSync(path, textOf(waiting.map(orderedLine)), { mode: 0o600 });
		renameSync(path, this.#path);
		if (this.#file >= 0) closeSync(this.#file);
		this.#file = openSync(this.#path, "a");
		this.#lineCount = waiting.length;
	}
}

/** Receipts by the number of their part, which may have several: each one taken ends one of them. */
class WaitingReceipts {
	readonly #byNumber = new Map<string, PendingReceipt[]>();
	#count = 0;

	get count(): number {
		return this.#count;
	}

	all(): PendingReceipt[] {
		return [...this.#byNumber.values()].flat();
	}

	add(receipt: PendingReceipt): void {
		const number = String(receipt.number);
		const receipts = this.#byNumber.get(number);
		if (receipts === undefined) this.#byNumber.set(number, [receipt]);
		else receipts.push(receipt);
		this.#count++;
	}

	remove(number: string): void {
		const receipts = this.#byNumber.get(number);
		if (receipts === undefined) return;
		receipts.pop();
		this.#count--;
		if (receipts.length === 0) this.#byNumber.delete(number);
	}
}

function waitingOf(lines: readonly Line[]): WaitingReceipts {
	const waiting = new WaitingReceipts();
	for (const line of lines) {
		if ("taken" in line) waiting.remove(line.taken);
		else waiting.add({ ...line.ordered, number: BigInt(line.ordered.number) });
	}
	return waiting;
}

function orderedLine(receipt: PendingReceipt): Line {
	return { ordered: { ...receipt, number: String(receipt.number) } };
}
