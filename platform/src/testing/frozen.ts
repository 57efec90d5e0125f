const IS_REAL = process.env.FROZEN === "real";

/**
 * Longest wait for the work of a process that stands still, ms: what is promised on a quiet machine, which
 * `FROZEN=real` is for; beside other tests more.
 */
export const LONGEST_WAIT_MS = IS_REAL ? 15_000 : 40_000;

/** How long a process stands still, ms: `FROZEN=real` takes the whole minute. */
export function frozenMs(short: number): number {
	return IS_REAL ? 60_000 : short;
}
