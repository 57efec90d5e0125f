/** Below this many taken items, the array is not cut. */
const CUT_AT = 1_024;

export class Fifo<T> {
	#items: T[] = [];
	#head = 0;

	get length(): number {
		return this.#items.length - this.#head;
	}

	push(item: T): void {
		this.#items.push(item);
	}

	shift(): T | undefined {
		const item = this.#items[this.#head];
		if (this.length === 0) return undefined;
		this.#head++;
		if (this.#head >= CUT_AT && this.#head * 2 >= this.#items.length) {
			this.#items = this.#items.slice(this.#head);
			this.#head = 0;
		}
		return item;
	}
}
