const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Days up to which years and months, whose length nobody agrees on, are not needed. */
const MAX_DAYS = 99;

/** A relative time, "YYMMDDhhmmss000R" (SMPP 3.4, 7.1.1), of a positive number of seconds. */
export function relativeTime(seconds: number): string {
	const whole = Math.min(Math.max(1, Math.floor(seconds)), MAX_DAYS * DAY);
	const fields = [
		Math.floor(whole / DAY),
		Math.floor((whole % DAY) / HOUR),
		Math.floor((whole % HOUR) / MINUTE),
		whole % MINUTE,
	];
	const digits = fields.map((field) => String(field).padStart(2, "0"));
	return `0000${digits.join("")}000R`;
}
