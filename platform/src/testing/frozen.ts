const IS_REAL = process.env.FROZEN === "real";

/** What a busy machine may add to a time, ms. */
const BUSY_MS = 30_000;

/**
 * Longest time that a test may find where `ms` is promised: those on a quiet machine, which `FROZEN=real` is for;
 * beside other tests more.
 */
export function longestMs(ms: number): number {
	return IS_REAL ? ms : ms + BUSY_MS;
}

/** Longest wait for the work of a process that stands still, ms. */
export const LONGEST_WAIT_MS = longestMs(15_000);

/** How long a process stands still, ms: `FROZEN=real` takes the whole minute. */
export function frozenMs(short: number): number {
	return IS_REAL ? 60_000 : short;
}
