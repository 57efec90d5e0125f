const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** What lived this long has earned a quick restart again, ms. */
const STEADY_MS = 60_000;

/** Waits between the restarts of one process. */
export interface BackOff {
	/** A life has ended; tells how long it was, ms. */
	lived(ms: number): void;
	/** Wait before the next try, ms: 500 at first, doubled by each failure up to 30,000. */
	next(): number;
}

export function createBackOff(): BackOff {
	let failures = 0;
	return {
		lived: (ms) => {
			if (ms > STEADY_MS) failures = 0;
		},
		next: () => Math.min(FIRST_MS * 2 ** failures++, LONGEST_MS),
	};
}
