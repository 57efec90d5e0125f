/** Pause after the first look that found no part, ms: the answer to its submit is then on its way. */
const FIRST_MS = 250;
/** Longest pause, ms. */
const LONGEST_MS = 900_000;

/**
 * Pause before a receipt without a part is looked at again, ms: soon at first, for a receipt can come
 * before the answer to its submit is recorded.
 * @param misses earlier looks that found nothing
 */
export function parkingDelayMs(misses: number): number {
	return Math.min(FIRST_MS * 2 ** misses, LONGEST_MS);
}
