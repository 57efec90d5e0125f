import type { PendingReceipt } from "./receipt.ts";

/** Receipts by the number of their part, which may have several: each one taken ends one of them. */
export class WaitingReceipts {
	readonly #byNumber = new Map<bigint, PendingReceipt[]>();
	#count = 0;

	get count(): number {
		return this.#count;
	}

	/** Oldest first. */
	all(): PendingReceipt[] {
		return [...this.#byNumber.values()].flat();
	}

	add(receipt: PendingReceipt): void {
		const receipts = this.#byNumber.get(receipt.number);
		if (receipts === undefined) this.#byNumber.set(receipt.number, [receipt]);
		else receipts.push(receipt);
		this.#count++;
	}

	remove(number: bigint): void {
		const receipts = this.#byNumber.get(number);
		if (receipts === undefined) return;
		receipts.pop();
		this.#count--;
		if (receipts.length === 0) this.#byNumber.delete(number);
	}
}
