import type { Behaviour } from "./behaviour.ts";
import type { SmscSettings } from "./settings.ts";

/** SMPP 3.4, 5.1.3. */
const INVALID_DESTINATION = 0x0b;
export const THROTTLED = 0x58;

/** Submits to a throttled number that are refused before one is taken. */
const THROTTLED_SUBMITS = 2;

/** Decides the command_status of submits that keep the standard; 0 takes them. `settings` may change at any time. */
export function createSubmitStatus(settings: SmscSettings) {
	const scripted: number[] = [];
	const throttles = new Map<string, number>();
	let second = 0;
	let inSecond = 0;

	function throttle(destination: string): number {
		const before = throttles.get(destination) ?? 0;
		if (before < THROTTLED_SUBMITS) throttles.set(destination, before + 1);
		else throttles.delete(destination);
		return before < THROTTLED_SUBMITS ? THROTTLED : 0;
	}

	function isTooFast(): boolean {
		if (settings.submitsPerSecond === 0) return false;
		const now = Math.floor(performance.now() / 1_000);
		if (now !== second) inSecond = 0;
		second = now;
		return ++inSecond > settings.submitsPerSecond;
	}

	function decide(destination: string, { response }: Behaviour): number {
		const next = scripted.shift();
		if (next !== undefined) return next;
		if (isTooFast()) return THROTTLED;
		if (response === "reject") return INVALID_DESTINATION;
		return response === "throttle" ? throttle(destination) : 0;
	}

	return { scripted, decide };
}
