/** Wait after the first look that found no part, ms: the response to its submit is then on its way. */
const FIRST_MS = 250;
const LONGEST_MS = 900_000;

/**
 * Wait before a receipt without a part is looked at again, ms.
 * @param misses earlier looks that found nothing
 */
export function parkingDelayMs(misses: number): number {
	return Math.min(FIRST_MS * 2 ** misses, LONGEST_MS);
}
