const WEEK_MS = 7 * 24 * 3_600_000;
/** Monday, 5 January 1970: weeks are counted from Monday, 00:00 UTC. */
const FIRST_MONDAY_MS = 4 * 24 * 3_600_000;

export interface Week {
	readonly from: Date;
	readonly to: Date;
}

export function weeksFrom(now: Date, count: number): Week[] {
	const sinceMonday = (now.getTime() - FIRST_MONDAY_MS) % WEEK_MS;
	const start = now.getTime() - sinceMonday;
	return Array.from({ length: count }, (_, index) => ({
		from: new Date(start + index * WEEK_MS),
		to: new Date(start + (index + 1) * WEEK_MS),
	}));
}
