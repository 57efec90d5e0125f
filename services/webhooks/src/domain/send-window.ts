export const START_WINDOW = 8;
const MIN_WINDOW = 2;

/** A hanging endpoint ends up with two sockets, however long its queue is. */
export function nextWindow(window: number, ok: boolean, max: number): number {
	if (ok) return Math.min(window + 1, max);
	return Math.max(Math.floor(window / 2), Math.min(MIN_WINDOW, max));
}

export function isSuspect(window: number, max: number): boolean {
	return window < Math.min(START_WINDOW, max);
}
