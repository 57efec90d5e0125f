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
