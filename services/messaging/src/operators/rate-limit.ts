const BURST_SHARE = 1 / 50;

/** Never more than the agreed segments within any second, evenly spread. Times are those of `performance.now()`. */
export class RateLimit {
	#perSecond = 0;
	#burst = 0;
	#perMs = 0;
	#tokens = 0;
	#at: number;

	/** @param perSecond 0 lets none pass; of a fraction below 1 one passes in more than a second */
	constructor(perSecond: number, now: number) {
		this.#at = now;
		this.change(perSecond, now);
		this.#tokens = this.#burst;
	}

	get perSecond(): number {
		return this.#perSecond;
	}

	/** What was until now counts: a change alone lets nothing pass, but for one segment after a rate of 0. */
	change(perSecond: number, now: number): void {
		this.#refill(now);
		if (this.#perSecond === 0) this.#tokens = 1;
		this.#perSecond = perSecond;
		const burst = Math.max(1, Math.floor(perSecond * BURST_SHARE));
		this.#burst = perSecond === 0 ? 0 : burst;
		// A burst on top of a full second's refill would exceed the agreed number.
		const refill = this.#burst > 1 ? perSecond - this.#burst : perSecond;
		this.#perMs = refill / 1_000;
		this.#tokens = Math.min(this.#tokens, this.#burst);
	}

	take(now: number): boolean {
		this.#refill(now);
		if (this.#tokens < 1) return false;
		this.#tokens -= 1;
		return true;
	}

	waitMs(now: number): number {
		this.#refill(now);
		return Math.max(0, (1 - this.#tokens) / this.#perMs);
	}

	/** Whether nothing of what passed counts any more. */
	isFull(now: number): boolean {
		this.#refill(now);
		return this.#tokens === this.#burst;
	}

	#refill(now: number): void {
		const grown = this.#tokens + (now - this.#at) * this.#perMs;
		this.#tokens = Math.min(this.#burst, grown);
		this.#at = now;
	}
}
