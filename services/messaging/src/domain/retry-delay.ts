const FIRST_MS = 2_000;
const LONGEST_MS = 600_000;
/** Share by which a wait varies in both directions, so that messages do not return in step. */
const JITTER = 0.2;

/**
 * Wait before a message that the operator refused for now goes again, ms: 2 s doubling to 10 min, +-20 %.
 * @param refusals temporary refusals so far, from 1
 * @param random within [0, 1)
 */
export function retryDelayMs(refusals: number, random: number): number {
	const pause = Math.min(FIRST_MS * 2 ** (refusals - 1), LONGEST_MS);
	return Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}
