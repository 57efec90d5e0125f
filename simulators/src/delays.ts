export class Delays {
	readonly #timers = new Set<NodeJS.Timeout>();

	get size(): number {
		return this.#timers.size;
	}

	/** At once when `delayMs` is negative. */
	run(delayMs: number, work: () => void): void {
		const act = () => {
			this.#timers.delete(timer);
			work();
		};
		const timer = setTimeout(act, Math.max(0, delayMs));
		this.#timers.add(timer);
	}

	wait(delayMs: number): Promise<void> {
		return new Promise((resolve) => this.run(delayMs, resolve));
	}

	stop(): void {
		for (const timer of this.#timers) clearTimeout(timer);
		this.#timers.clear();
	}
}
