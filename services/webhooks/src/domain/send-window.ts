/** Attempts in flight at once that an endpoint we know nothing of is given. */
export const START_WINDOW = 8;
/** What an endpoint that keeps failing is left with. */
const MIN_WINDOW = 2;

/**
 * How many attempts an endpoint may have in flight after one more ended: one more per success up to
 * `max`, half after a failure. A hanging endpoint thus holds two sockets, however long its queue is.
 */
export function nextWindow(window: number, ok: boolean, max: number): number {
	if (ok) return Math.min(window + 1, max);
	return Math.max(Math.floor(window / 2), Math.min(MIN_WINDOW, max));
}

/** True when recent failures took an endpoint below what a new one gets. */
export function isSuspect(window: number, max: number): boolean {
	return window < Math.min(START_WINDOW, max);
}
