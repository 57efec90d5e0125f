const BURST_SHARE = 1 / 50;

/** Never more than the agreed segments within any second, evenly spread. Times are those of `performance.now()`. */
export class RateLimit {
	readonly #burst: number;
	readonly #perMs: number;
	#tokens: number;
	#at: number;

	constructor(perSecond: number, now: number) {
		this.#burst = Math.max(1, Math.floor(perSecond * BURST_SHARE));
		// A burst on top of a full second's refill would exceed the agreed number.
		const refill = this.#burst > 1 ? perSecond - this.#burst : perSecond;
		this.#perMs = refill / 1_000;
		this.#tokens = this.#burst;
		this.#at = now;
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

	#refill(now: number): void {
		const grown = this.#tokens + (now - this.#at) * this.#perMs;
		this.#tokens = Math.min(this.#burst, grown);
		this.#at = now;
	}
}
