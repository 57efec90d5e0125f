import { setTimeout as delay } from "node:timers/promises";
import { retryDelay } from "@airtower/platform/runtime/retry-delay";
import { refusedBindWait } from "../../domain/bind-retry.ts";
import type { BindProblem } from "./bind-request.ts";
import type { LiveRoute } from "./live-route.ts";
import type { SmppLimits } from "./smpp-limits.ts";

/** One bind of a route at a time, and none for a while after a refusal: operators lock accounts that try too often. */
export class BindGate {
	readonly #limits: SmppLimits;
	#last: Promise<unknown> = Promise.resolve();
	#refusedUntil = 0;
	/** In a row. */
	#refusals = 0;
	/** Longest time that a session was bound since the credentials were last in doubt, ms. */
	#heldMs = 0;
	#retry = new AbortController();

	constructor(limits: SmppLimits) {
		this.#limits = limits;
	}

	/** Time until a bind may be tried, ms; 0 for now. */
	get waitMs(): number {
		return Math.max(0, this.#refusedUntil - performance.now());
	}

	enter<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
		const attempted = this.#last.then(async () => {
			const wait = this.waitMs;
			if (wait > 0) await this.#pause(wait, signal);
			signal.throwIfAborted();
			return attempt();
		});
		this.#last = attempted.catch(() => undefined);
		return attempted;
	}

	retryNow(): void {
		this.#refusedUntil = 0;
		this.#retry.abort();
		this.#retry = new AbortController();
	}

	async #pause(ms: number, signal: AbortSignal): Promise<void> {
		const ended = AbortSignal.any([signal, this.#retry.signal]);
		await delay(ms, undefined, { signal: ended }).catch(() => undefined);
	}

	refuse(): void {
		this.#refusals++;
		const waitMs = refusedBindWait(this.#refusals, this.#heldMs, this.#limits);
		if (waitMs === this.#limits.refusedRetryMs) this.#heldMs = 0;
		this.#refusedUntil = performance.now() + waitMs;
	}

	admit(): void {
		this.#refusals = 0;
	}

	/** A session was bound for so long, ms. */
	noteHeld(heldMs: number): void {
		this.#heldMs = Math.max(this.#heldMs, heldMs);
	}
}

/** When one bind that is not up is tried again. */
export class BindRetries {
	readonly #live: LiveRoute;
	#failures = 0;
	/** Since when the operator says that another session has the bind, a time of `performance.now()`. */
	#takenSince: number | undefined;

	constructor(live: LiveRoute) {
		this.#live = live;
	}

	/** A bind was responded to. */
	note(problem: BindProblem | undefined): void {
		if (problem?.isTaken) this.#takenSince ??= performance.now();
		else this.#takenSince = undefined;
	}

	/** True while the session of the bind's former holder may only be late to end. */
	isTaken(): boolean {
		const since = this.#takenSince ?? Number.NEGATIVE_INFINITY;
		return performance.now() - since < this.#live.limits.takenMs;
	}

	/** Begins with short waits again. */
	restart(): void {
		this.#failures = 0;
	}

	/** Wait after a session that was bound for so long, or 0, ms. */
	nextWait(boundMs: number): number {
		const { limits } = this.#live;
		this.#failures = nextFailures(this.#failures, boundMs, limits);
		const waitMs = reconnectDelay(this.#failures, Math.random(), limits);
		return this.isTaken() ? Math.min(waitMs, limits.takenRetryMs) : waitMs;
	}
}

/** Failures in a row, after a session that was bound for so long; one that held counts as none. */
export function nextFailures(
	failures: number,
	boundMs: number,
	{ stableAfterMs }: SmppLimits,
): number {
	return boundMs >= stableAfterMs ? 1 : failures + 1;
}

/** Wait before the next attempt to connect, ms. `failures` in a row, from 1; `random` within [0, 1). */
export function reconnectDelay(
	failures: number,
	random: number,
	limits: SmppLimits,
): number {
	const firstMs = limits.reconnectMinMs;
	const longestMs = limits.reconnectMaxMs;
	return random * retryDelay(failures, { firstMs, longestMs });
}
