import { retryDelay } from "@airtower/platform/runtime/retry-delay";
import type { OperatorStatus } from "../operator.ts";
import type { SmppLimits } from "../session/smpp-limits.ts";

/** Times of a route, ms. */
export interface HttpLimits
	extends Pick<
		SmppLimits,
		"queueTimeoutMs" | "throttleMinMs" | "throttleMaxMs" | "drainMs"
	> {
	/** First and longest wait after the operator could not be reached; doubled in between. */
	readonly unreachableMinMs: number;
	readonly unreachableMaxMs: number;
	/** First and longest wait after the operator refused the account; doubled in between. */
	readonly refusedMinMs: number;
	readonly refusedMaxMs: number;
	/** Longest wait that one Retry-After brings. */
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

/** Whether an operator is there and lets the account in. Times are those of `performance.now()`. */
export class Availability {
	readonly #limits: HttpLimits;
	#downUntil = 0;
	#failures = 0;
	#lastError: string | undefined;

	constructor(limits: HttpLimits) {
		this.#limits = limits;
	}

	/** True from a failure until the next response: one request at a time finds out. */
	get isProbing(): boolean {
		return this.#failures > 0;
	}

	/** How long nothing is to be sent, ms. */
	waitMs(now: number): number {
		return Math.max(0, this.#downUntil - now);
	}

	/** Failures within a wait belong to its cause and do not prolong it; false for those. */
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
	}

	tryNow(): void {
		this.#downUntil = 0;
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
