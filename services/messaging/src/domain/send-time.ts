/** How far ahead a message may be scheduled, ms. */
export const MAX_AHEAD_MS = 30 * 24 * 3_600_000;

/** True for a time after `now` that is not too far ahead. */
export function isSendTime(time: Date, now: Date): boolean {
	const aheadMs = time.getTime() - now.getTime();
	return aheadMs > 0 && aheadMs <= MAX_AHEAD_MS;
}
