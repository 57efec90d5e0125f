const TICK_MS = 10;

/** Hands out items at their time, 10 ms exact, with one timer for any number of them. */
export class TimerWheel<T> {
	readonly #onDue: (items: T[]) => void;
	readonly #slots = new Map<number, T[]>();
	#timer: NodeJS.Timeout | undefined;
	#size = 0;
	/** The first slot that has not been handed out. */
	#next = 0;

	constructor(onDue: (items: T[]) => void) {
		this.#onDue = onDue;
	}

	/** Items that wait. */
	get size(): number {
		return this.#size;
	}

	add(item: T, delayMs: number): void {
		if (this.#timer === undefined) this.#start();
		const due = Math.ceil((performance.now() + delayMs) / TICK_MS);
		const slot = Math.max(due, this.#next);
		const items = this.#slots.get(slot);
		if (items === undefined) this.#slots.set(slot, [item]);
		else items.push(item);
		this.#size++;
	}

	stop(): void {
		clearInterval(this.#timer);
		this.#timer = undefined;
	}

	#start(): void {
		this.#next = Math.floor(performance.now() / TICK_MS);
		this.#timer = setInterval(() => this.#tick(), TICK_MS);
	}

	#tick(): void {
		const now = Math.floor(performance.now() / TICK_MS);
		for (; this.#next <= now; this.#next++) {
			const items = this.#slots.get(this.#next);
			if (items === undefined) continue;
			this.#slots.delete(this.#next);
			this.#size -= items.length;
			this.#onDue(items);
		}
		if (this.#size === 0) this.stop();
	}
}
