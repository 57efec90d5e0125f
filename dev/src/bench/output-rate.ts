/** The output is counted from here on: before, the first callbacks are still on their way; a share of the load. */
const COUNTED_FROM = 0.1;

export interface Load {
	/** Messages per second that went in. */
	readonly rate: number;
	/** Unix ms. */
	readonly startedAtMs: number;
	readonly endedAtMs: number;
}

/**
 * Callbacks per second from {@link COUNTED_FROM} on until the load ended; no more than went in, for some
 * of them may be a backlog of the time before.
 */
export function outputPerSecond(
	receivedAtMs: readonly number[],
	{ rate, startedAtMs, endedAtMs }: Load,
): number {
	const fromMs = startedAtMs + (endedAtMs - startedAtMs) * COUNTED_FROM;
	const counted = receivedAtMs.filter(
		(atMs) => atMs >= fromMs && atMs <= endedAtMs,
	).length;
	return Math.min(rate, counted / ((endedAtMs - fromMs) / 1_000));
}
