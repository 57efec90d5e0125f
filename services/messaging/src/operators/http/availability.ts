import { retryDelay } from "@airtower/platform/runtime/retry-delay";
import type { OperatorStatus } from "../operator.ts";
import type { SmppLimits } from "../session/smpp-limits.ts";

/** Time limits of a route over HTTP, all in ms. */
export interface HttpLimits
	extends Pick<
		SmppLimits,
		"queueTimeoutMs" | "throttleMinMs" | "throttleMaxMs" | "drainMs"
	> {
	/** Waits while the operator cannot be reached: the first, doubled with each further failure, and the longest. */
	readonly unreachableMinMs: number;
	readonly unreachableMaxMs: number;
	/** Waits while the operator refuses our account: the first, doubled with each further failure, and the longest. */
	readonly refusedMinMs: number;
	readonly refusedMaxMs: number;
	/** A Retry-After that asks for a longer wait is cut to this. */
	readonly retryAfterMaxMs: number;
}

export const defaultLimits: HttpLimits = {
	queueTimeoutMs: 30_000,
	throttleMinMs: 300,
	throttleMaxMs: 30_000,
	drainMs: 20_000,
	unreachableMinMs: 1_000,
	unreachableMaxMs: 60_000,
	refusedMinMs: 10_000,
	refusedMaxMs: 300_000,
	retryAfterMaxMs: 60_000,
};

/** Knows whether an operator can be reached and accepts our account. Times are those of `performance.now()`. */
export class Availability {
	readonly #limits: HttpLimits;
	#downUntil = 0;
	#triedAt = 0;
	#failures = 0;
	#lastError: string | undefined;

	constructor(limits: HttpLimits) {
		this.#limits = limits;
	}

	/** True from a failure until the next response: meanwhile only one request at a time tries the operator. */
	get isProbing(): boolean {
		return this.#failures > 0;
	}

	/** How long to wait before the next request is sent, ms. */
	waitMs(now: number): number {
		return Math.max(0, this.#downUntil - now);
	}

	/** Begins a wait. A failure during one has the same cause: it does not prolong it, and false is returned. */
	down(why: "unreachable" | "refused", error: string, now: number): boolean {
		this.#lastError = error;
		if (now < this.#downUntil) return false;
		const [firstMs, longestMs] =
			why === "refused"
				? [this.#limits.refusedMinMs, this.#limits.refusedMaxMs]
				: [this.#limits.unreachableMinMs, this.#limits.unreachableMaxMs];
		this.#failures++;
		this.#downUntil = now + retryDelay(this.#failures, { firstMs, longestMs });
		return true;
	}

	up(): void {
		this.#failures = 0;
		this.#downUntil = 0;
		this.#lastError = undefined;
	}

	/** Ends the wait; only a response to a request that begins later ends the probing. */
	tryNow(now: number): void {
		this.#downUntil = 0;
		this.#triedAt = now;
	}

	/** False for a request that began before {@link tryNow}: the route may have another operator or account since. */
	tells(startedAt: number): boolean {
		return startedAt >= this.#triedAt;
	}

	status(now: number): Pick<OperatorStatus, "lastError" | "nextTryAt"> & {
		readonly isDown: boolean;
	} {
		const downMs = this.waitMs(now);
		return {
			isDown: this.isProbing,
			...(this.#lastError !== undefined && { lastError: this.#lastError }),
			...(downMs > 0 && { nextTryAt: new Date(Date.now() + downMs) }),
		};
	}
}
