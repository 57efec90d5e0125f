import { localMinuteOver } from "./local-minute.ts";

/** Local minutes of the day, 0 to 1,439; `start` is within, `end` is not. Across midnight where `end` comes first. */
export interface QuietHours {
	readonly start: number;
	readonly end: number;
}

const MINUTES_A_DAY = 1_440;
/** Of each day, minutes. */
const MIN_OPEN = 60;
const QUARTER_MS = 15 * 60_000;
/** A clock that is put forward may skip the open hour of a day, but not that of the next one too. */
export const MAX_WAIT_MS = 48 * 3_600_000;

/** True where at least an hour of each day stays open. */
export function leavesOpen({ start, end }: QuietHours): boolean {
	return (start - end + MINUTES_A_DAY) % MINUTES_A_DAY >= MIN_OPEN;
}

export function isQuiet({ start, end }: QuietHours, minute: number): boolean {
	return start < end
		? minute >= start && minute < end
		: minute >= start || minute < end;
}

/**
 * The first instant at which it is quiet in none of the zones: `time` itself, or a quarter hour after it. Where they
 * have no open time in common within 48 hours, the first at which it is quiet in the fewest.
 */
export function firstAllowed(
	time: Date,
	hours: QuietHours,
	zones: readonly string[],
): Date {
	const from = time.getTime();
	const clocks = zones.map((zone) =>
		localMinuteOver(zone, from, from + MAX_WAIT_MS),
	);
	let best = { at: from, quiet: Number.POSITIVE_INFINITY };
	for (const at of instantsFrom(from)) {
		const quiet = clocks.filter((clock) => isQuiet(hours, clock(at))).length;
		if (quiet < best.quiet) best = { at, quiet };
		if (quiet === 0) break;
	}
	return new Date(best.at);
}

function* instantsFrom(from: number): Generator<number> {
	yield from;
	const next = (Math.floor(from / QUARTER_MS) + 1) * QUARTER_MS;
	for (let at = next; at <= from + MAX_WAIT_MS; at += QUARTER_MS) yield at;
}
