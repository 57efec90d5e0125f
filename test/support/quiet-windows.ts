/** Where it is quiet now for the numbers of the cases, which are French, British and of Washington. */
export type Quiet = "nowhere" | "everywhere" | "in Europe" | "in America";

interface Window {
	/** Minutes. */
	readonly startsAt: number;
	readonly endsAt: number;
}

const HOUR = 60;
const DAY = 24 * HOUR;

/**
 * From and to so many minutes after the present one in UTC. London is 0 to 1 hour ahead of it, Paris 1 to 2, Washington
 * 4 to 5 behind: no window begins or ends within an hour of the local time of any of them, so a test that lasts long
 * sees what it saw in the beginning.
 */
const WINDOWS: Readonly<Record<Quiet, Window | undefined>> = {
	nowhere: undefined,
	everywhere: { startsAt: -10 * HOUR, endsAt: 8 * HOUR },
	"in Europe": { startsAt: -2.5 * HOUR, endsAt: 4 * HOUR },
	"in America": { startsAt: -8 * HOUR, endsAt: -2.5 * HOUR },
};

/** The quiet hours of an organization; undefined for none. */
export function quietHoursOf(quiet: Quiet, now: Date): Window | undefined {
	const window = WINDOWS[quiet];
	if (window === undefined) return undefined;
	const minute = now.getUTCHours() * HOUR + now.getUTCMinutes();
	const toMinute = (offset: number) => (minute + offset + DAY) % DAY;
	return {
		startsAt: toMinute(window.startsAt),
		endsAt: toMinute(window.endsAt),
	};
}
