const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export const RETRY_DELAYS_MS: readonly number[] = [
	5 * SECOND_MS,
	MINUTE_MS,
	5 * MINUTE_MS,
	30 * MINUTE_MS,
	2 * HOUR_MS,
	5 * HOUR_MS,
	10 * HOUR_MS,
	10 * HOUR_MS,
];

const JITTER = 0.2;
export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/** Whole ms, the longer of ours and the receiver's; undefined after the last `attempt`. `random` is in [0, 1). */
export function retryDelayMs(
	attempt: number,
	random: number,
	retryAfterMs = 0,
): number | undefined {
	const base = RETRY_DELAYS_MS[attempt - 1];
	if (base === undefined) return undefined;
	const jittered = base * (1 + JITTER * (2 * random - 1));
	return Math.round(
		Math.max(jittered, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)),
	);
}

/** RFC 9110 section 10.2.3, as ms from `now`; 0 when absent, in the past or malformed. */
export function parseRetryAfter(header: string | undefined, now: Date): number {
	if (header === undefined) return 0;
	const text = header.trim();
	if (/^\d+$/.test(text)) return Number(text) * SECOND_MS;
	if (!/[a-z]/i.test(text)) return 0;
	const at = Date.parse(text);
	return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}
