/** The response to the submit is then on its way, ms. */
const FIRST_MS = 250;
const LONGEST_MS = 900_000;

/** Wait before a receipt is looked at again, ms, after `misses` looks that found no part. */
export function parkingDelayMs(misses: number): number {
	return Math.min(FIRST_MS * 2 ** misses, LONGEST_MS);
}
