import { setTimeout as delay } from "node:timers/promises";
import type { SmppLimits } from "./smpp-limits.ts";

/**
 * Lets the binds of one route through one at a time, and none for a while after the operator refused the credentials:
 * operators lock accounts that try too often.
 */
export class BindGate {
	readonly #limits: SmppLimits;
	#last: Promise<unknown> = Promise.resolve();
	#refusedUntil = 0;

	constructor(limits: SmppLimits) {
		this.#limits = limits;
	}

	/** Runs an attempt when its turn has come and no refusal stands. Rejects when aborted before. */
	enter<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
		const turn = this.#last.then(async () => {
			const wait = this.#refusedUntil - performance.now();
			if (wait > 0) await delay(wait, undefined, { signal });
			signal.throwIfAborted();
			return attempt();
		});
		this.#last = turn.catch(() => undefined);
		return turn;
	}

	refuse(): void {
		this.#refusedUntil = performance.now() + this.#limits.refusedRetryMs;
	}
}
