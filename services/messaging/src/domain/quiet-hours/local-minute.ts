const MINUTE_MS = 60_000;
const MINUTES_A_DAY = 1_440;
/** Every zone is ahead of UTC by whole quarter hours, and changes that at one. */
const QUARTER_MS = 15 * MINUTE_MS;

/** To make one takes a hundred times as long as to use it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The minute of the local day, 0 to 1,439. @param time ms since 1970 */
export function localMinute(zone: string, time: number): number {
	const [hour, minute] = formatOf(zone).format(time).split(":");
	return Number(hour) * 60 + Number(minute);
}

function formatOf(zone: string): Intl.DateTimeFormat {
	const known = formats.get(zone);
	if (known !== undefined) return known;
	const format = new Intl.DateTimeFormat("en-GB", {
		timeZone: zone,
		hour: "2-digit",
		minute: "2-digit",
		hourCycle: "h23",
	});
	formats.set(zone, format);
	return format;
}

/**
 * Returns what `localMinute` does for the times between two, and asks the calendar for a few of them only: between
 * them the zone may change its clock once at most. Times are ms since 1970.
 */
export function localMinuteOver(
	zone: string,
	from: number,
	until: number,
): (time: number) => number {
	const [before, after] = [shiftAt(zone, from), shiftAt(zone, until)];
	const changesAt =
		before === after ? until : findChange(zone, before, from, until);
	return (time) =>
		(utcMinute(time) + (time < changesAt ? before : after)) % MINUTES_A_DAY;
}

/** The quarter hour at which the shift is first another one than before. */
function findChange(
	zone: string,
	before: number,
	from: number,
	until: number,
): number {
	let [last, first] = [
		Math.floor(from / QUARTER_MS),
		Math.ceil(until / QUARTER_MS),
	];
	while (first - last > 1) {
		const middle = Math.floor((last + first) / 2);
		if (shiftAt(zone, middle * QUARTER_MS) === before) last = middle;
		else first = middle;
	}
	return first * QUARTER_MS;
}

/** Minutes that the local day is ahead of that of UTC, 0 to 1,439. */
function shiftAt(zone: string, time: number): number {
	const ahead = localMinute(zone, time) - utcMinute(time);
	return (ahead + MINUTES_A_DAY) % MINUTES_A_DAY;
}

function utcMinute(time: number): number {
	return Math.floor(time / MINUTE_MS) % MINUTES_A_DAY;
}
