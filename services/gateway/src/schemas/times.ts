import { z } from "zod";

/** Bounds of the times that services exchange: the years 1 to 9999. */
export const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z");
const LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** False for what is no time, and for a time that services cannot exchange. */
export function isTime(time: Date): boolean {
	const ms = time.getTime();
	return ms >= EARLIEST_MS && ms <= LATEST_MS;
}

/** A time in RFC 3339 with any offset, as requests give it. */
export const givenTime = () =>
	z.iso
		.datetime({ offset: true, abort: true })
		.refine((value) => isTime(new Date(value)), {
			params: { code: "invalid_format" },
			message: "must be a time of the years 1 to 9999",
		});

/** A time in RFC 3339, UTC, milliseconds; responses only, where nothing needs to be checked. */
export const time = () =>
	z.string().meta({
		format: "date-time",
		description: "RFC 3339, UTC, with milliseconds.",
	});
