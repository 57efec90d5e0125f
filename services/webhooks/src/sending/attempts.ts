import type { ClaimedDelivery } from "../store/delivery-queue.ts";

/** The attempts of this process that are in flight, until they are settled. */
export class Attempts {
	readonly #running = new Map<Promise<void>, ClaimedDelivery>();
	#mayHaveLost = false;

	/** True when deliveries may be claimed under our token that no attempt is in flight for. */
	get mayHaveLost(): boolean {
		return this.#mayHaveLost;
	}

	set mayHaveLost(value: boolean) {
		this.#mayHaveLost = value;
	}

	/** Holds an attempt until it ends. */
	add(delivery: ClaimedDelivery, attempt: Promise<void>): void {
		const running = attempt.finally(() => this.#running.delete(running));
		this.#running.set(running, delivery);
	}

	get size(): number {
		return this.#running.size;
	}

	deliveries(): ClaimedDelivery[] {
		return [...this.#running.values()];
	}

	/** Resolves when those that are in flight now have ended. */
	async settled(): Promise<void> {
		await Promise.all(this.#running.keys());
	}
}
