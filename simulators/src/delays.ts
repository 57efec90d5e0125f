/** Work that waits for its time. */
export class Delays {
	readonly #timers = new Set<NodeJS.Timeout>();

	/** How much waits. */
	get size(): number {
		return this.#timers.size;
	}

	/** At once when `delayMs` is negative. */
	run(delayMs: number, work: () => void): void {
		const timer = setTimeout(
			() => {
				this.#timers.delete(timer);
				work();
			},
			Math.max(0, delayMs),
		);
		this.#timers.add(timer);
	}

	/** Forgets what waits. */
	stop(): void {
		for (const timer of this.#timers) clearTimeout(timer);
		this.#timers.clear();
	}
}
