import type { BindProblem } from "./bind-request.ts";

/** A bind that another session has, as the operator says. */
export class TakenBind {
	readonly #waitMs: number;
	#since: number | undefined;

	constructor(waitMs: number) {
		this.#waitMs = waitMs;
	}

	note(problem: BindProblem | undefined): void {
		if (problem?.isTaken) this.#since ??= performance.now();
		else this.#since = undefined;
	}

	/** True while the session of the bind's former holder may only be late to end. */
	isWaitedOut(): boolean {
		const since = this.#since ?? Number.NEGATIVE_INFINITY;
		return performance.now() - since < this.#waitMs;
	}
}
