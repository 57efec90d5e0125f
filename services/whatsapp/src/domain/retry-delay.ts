const FIRST_MS = 1_000;
const FIRST_PACED_MS = 6_000;
const LONGEST_MS = 600_000;
/** Share by which a pause varies in both directions, so that messages do not return in step. */
const JITTER = 0.2;

/**
 * Pause before a message that was refused for now goes again: 1 s doubling to 10 min, +-20 %.
 * @param refusals temporary refusals so far, from 1
 * @param random within [0, 1)
 */
export function retryDelayMs(refusals: number, random: number): number {
	const pause = Math.min(FIRST_MS * 2 ** (refusals - 1), LONGEST_MS);
	return Math.round(pause * (1 - JITTER + 2 * JITTER * random));
}

/** Pause of a recipient that got too many: 6 s doubling to 10 min, up to 40 % more, never less. */
export function recipientPauseMs(refusals: number, random: number): number {
	const pause = Math.min(FIRST_PACED_MS * 2 ** (refusals - 1), LONGEST_MS);
	return Math.round(pause * (1 + 2 * JITTER * random));
}
