export interface RetryLimits {
	readonly firstMs: number;
	readonly longestMs: number;
}

/** Wait before the next try, ms: it doubles with each failure in a row, counted from 1, up to the longest. */
export function retryDelay(
	failures: number,
	{ firstMs, longestMs }: RetryLimits,
): number {
	return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}

/** A wait varies by a fifth in both directions, so that what waits does not return in step. */
export const JITTER = 0.2;

/** A wait, in whole ms, that varies by {@link JITTER}. @param random within [0, 1) */
export function withJitter(ms: number, random: number): number {
	return Math.round(ms * (1 - JITTER + 2 * JITTER * random));
}
