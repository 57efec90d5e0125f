/** What is needed to judge a receipt's time. */
export interface ReceiptClock {
	/** Time of arrival. */
	readonly now: Date;
	/** Offset of the operator's clock from UTC, minutes. */
	readonly utcOffsetMinutes: number;
}

const MINUTE_MS = 60_000;

/** How far a receipt's time may lie from its arrival to be believed, ms. */
const MAX_AHEAD_MS = MINUTE_MS;
const MAX_BEHIND_MS = 72 * 60 * MINUTE_MS;

/** YYMMDDhhmm or YYMMDDhhmmss, then the same with the century. */
const FORMS = [
	/^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?$/,
	/^20(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?$/,
];

/** The time of a receipt, or undefined when it is absent, malformed or not believable. */
export function parseReceiptTime(
	text: string | undefined,
	clock: ReceiptClock,
): Date | undefined {
	if (text === undefined) return undefined;
	for (const form of FORMS) {
		const match = form.exec(text);
		if (match === null) continue;
		const local = localTime(match.slice(1).map((part) => Number(part ?? 0)));
		const time = local - clock.utcOffsetMinutes * MINUTE_MS;
		if (isBelievable(time, clock.now)) return new Date(time);
	}
	return undefined;
}

function localTime(fields: readonly number[]): number {
	const [year = 0, month = 0, day, hour, minute, second] = fields;
	return Date.UTC(2000 + year, month - 1, day, hour, minute, second);
}

function isBelievable(time: number, now: Date): boolean {
	const ahead = time - now.getTime();
	return ahead <= MAX_AHEAD_MS && ahead >= -MAX_BEHIND_MS;
}
