const DAY_MS = 86_400_000;
/** After the end of a day, ms: most receipts of its last messages have come by then. */
const DUE_AFTER_MS = 3_600_000;
/** Older days are not told of any more. */
const MOST_DAYS = 7;
/** How much longer it is known of a day that it was told of: clocks differ. */
const SLACK_DAYS = 2;

/** The days of UTC that organizations are to be told of, as 2026-03-01, the oldest first. */
export function dueDays(now: Date): string[] {
	const lastMs = now.getTime() - DUE_AFTER_MS - DAY_MS;
	return Array.from({ length: MOST_DAYS }, (_, nth) =>
		toDay(lastMs - (MOST_DAYS - 1 - nth) * DAY_MS),
	);
}

/** Nobody is told of a day before this one. */
export function firstKeptDay(now: Date): string {
	return toDay(now.getTime() - (MOST_DAYS + SLACK_DAYS) * DAY_MS);
}

function toDay(ms: number): string {
	return new Date(ms).toISOString().slice(0, 10);
}
