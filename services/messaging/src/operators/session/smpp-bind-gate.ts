import { setTimeout as delay } from "node:timers/promises";
import type { SmppLimits } from "./smpp-limits.ts";

/** One bind of a route at a time, and none for a while after a refusal: operators lock accounts that try too often. */
export class BindGate {
	readonly #limits: SmppLimits;
	#last: Promise<unknown> = Promise.resolve();
	#refusedUntil = 0;

	constructor(limits: SmppLimits) {
		this.#limits = limits;
	}

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
