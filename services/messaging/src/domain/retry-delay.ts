const FIRST_MS = 2_000;
const LONGEST_MS = 600_000;
/** In both directions, so that messages do not return in step. */
const JITTER = 0.2;

/** Wait after a temporary refusal, ms. `refusals` so far, from 1; `random` within [0, 1). */
export function retryDelayMs(refusals: number, random: number): number {
	const pause = Math.min(FIRST_MS * 2 ** (refusals - 1), LONGEST_MS);
	return Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}
