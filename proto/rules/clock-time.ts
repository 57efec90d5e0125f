/** Times of the day as people write them, "00:00" to "23:59". */
export const CLOCK_TIME_PATTERN = "^([01][0-9]|2[0-3]):[0-5][0-9]$";

const CLOCK_TIME = new RegExp(CLOCK_TIME_PATTERN);

/** @param minute of the day, 0 to 1,439 */
export function toClockTime(minute: number): string {
	const [hours, minutes] = [Math.floor(minute / 60), minute % 60];
	return [hours, minutes]
		.map((value) => String(value).padStart(2, "0"))
		.join(":");
}

/** The minute of the day; undefined for what is no time of the day. */
export function parseClockTime(text: string): number | undefined {
	if (!CLOCK_TIME.test(text)) return undefined;
	const [hours, minutes] = text.split(":");
	return Number(hours) * 60 + Number(minutes);
}
