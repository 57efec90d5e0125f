import type { SmppLimits } from "./session/smpp-limits.ts";

/** The wait that an operator's throttling puts on a whole route. Times are those of `performance.now()`. */
export class Throttle {
	readonly #limits: SmppLimits;
	#until = 0;
	#inARow = 0;

	constructor(limits: SmppLimits) {
		this.#limits = limits;
	}

	leftMs(now: number): number {
		return Math.max(0, this.#until - now);
	}

	/** The operator throttled. Responses within a wait belong to its cause and do not prolong it. */
	hit(now: number): void {
		if (this.leftMs(now) > 0) return;
		this.#inARow++;
		this.#until = now + throttlePause(this.#inARow, this.#limits);
	}

	clear(now: number): void {
		if (this.leftMs(now) === 0) this.#inARow = 0;
	}
}

export function throttlePause(inARow: number, limits: SmppLimits): number {
	const pause = limits.throttleMinMs * 2 ** (inARow - 1);
	return Math.min(limits.throttleMaxMs, pause);
}
