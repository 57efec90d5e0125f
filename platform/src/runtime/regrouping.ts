/**
 * Decides whether the next flush waits for the callers that the one before has answered. Callers that
 * wait for their answer before they add again would otherwise fall into two groups that take turns, each
 * waiting for the other's flush. Callers that come at their own rate, as most do, would only wait longer:
 * while waiting for the answered does not bring them, it is left out, and tried again now and then.
 */
export interface Regrouping {
	/**
	 * The longest wait after a flush, ms; 0 when the next one is not to wait.
	 * @param answered items of the flush that took so long
	 */
	begin(answered: number, tookMs: number): number;
	/** Tells how many items were added during the wait. */
	end(came: number): void;
}

/** Longest wait, as a part of the time that the flush before took, and in ms. */
const WAIT_SHARE = 0.5;
const LONGEST_WAIT_MS = 10;
/** Part of the answered that makes a wait worth while: callers in a loop come nearly all, others half at most. */
const WORTH_FROM = 0.75;
/** Most flushes without a wait after waits that were not worth it. */
const LONGEST_PAUSE = 64;

/** Begins with waiting: what it does not bring is known after the first flush. */
export function createRegrouping(): Regrouping {
	let answered = 0;
	let pause = 0;
	let pauseLeft = 0;
	return {
		begin(items, tookMs) {
			answered = 0;
			if (pauseLeft > 0) {
				pauseLeft--;
				return 0;
			}
			answered = items;
			return Math.min(tookMs * WAIT_SHARE, LONGEST_WAIT_MS);
		},
		end(came) {
			if (answered === 0) return;
			const worth = came >= answered * WORTH_FROM;
			pause = worth ? 0 : Math.min(Math.max(1, pause * 2), LONGEST_PAUSE);
			pauseLeft = pause;
			answered = 0;
		},
	};
}
