import type { Behaviour } from "./behaviour.ts";
import type { SmscSettings } from "./settings.ts";

/** SMPP 3.4, 5.1.3. */
const INVALID_DESTINATION = 0x0b;
export const THROTTLED = 0x58;

/** Submits to a throttled number that are refused before one is taken. */
const THROTTLED_SUBMITS = 2;

/** Decides the status of submits that keep the standard. */
export class SubmitStatus {
	readonly #settings: SmscSettings;
	/** Refused submits by throttled recipient. */
	readonly #throttles = new Map<string, number>();
	#second = 0;
	#inSecond = 0;
	/** Statuses of the next submits, in order. */
	readonly scripted: number[] = [];

	/** `settings` may change at any time. */
	constructor(settings: SmscSettings) {
		this.#settings = settings;
	}

	/** command_status of the next submit; 0 takes it. */
	decide(destination: string, { answer }: Behaviour): number {
		const scripted = this.scripted.shift();
		if (scripted !== undefined) return scripted;
		if (this.#isTooFast()) return THROTTLED;
		if (answer === "reject") return INVALID_DESTINATION;
		return answer === "throttle" ? this.#throttle(destination) : 0;
	}

	#throttle(destination: string): number {
		const before = this.#throttles.get(destination) ?? 0;
		if (before < THROTTLED_SUBMITS) {
			this.#throttles.set(destination, before + 1);
			return THROTTLED;
		}
		this.#throttles.delete(destination);
		return 0;
	}

	#isTooFast(): boolean {
		const limit = this.#settings.submitsPerSecond;
		if (limit === 0) return false;
		const second = Math.floor(performance.now() / 1_000);
		if (second !== this.#second) this.#inSecond = 0;
		this.#second = second;
		return ++this.#inSecond > limit;
	}
}
