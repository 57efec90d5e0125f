import { z } from "zod";

/** Text that every part of the system can store: whole characters, no NUL. */
export const text = () =>
	z.string().refine((value) => value.isWellFormed() && !value.includes("\0"), {
		params: { code: "invalid_characters" },
		message: "holds a NUL character or half of a surrogate pair",
	});

/** Text of 1 to `maxLength` characters that are not all spaces. */
export const filledText = (maxLength: number) =>
	text()
		.min(1)
		.max(maxLength)
		.refine((value) => value === "" || value.trim() !== "", {
			params: { code: "too_short" },
			message: "must not be blank",
		});

/** Bounds of the times that services exchange: the years 1 to 9999. */
const EARLIEST_MS = Date.parse("0001-01-01T00:00:00Z");
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

/** An id in its usual form; responses only, where nothing needs to be checked. */
export const uuidText = () =>
	z.string().meta({ format: "uuid", description: "UUIDv7." });

const success = z.literal(true);

/** No query parameter at all: what a route takes that declares none. */
export const noQuery = z.strictObject({});

/** Body of a response to a request that succeeded. */
export const successBody = <S extends z.core.$ZodLooseShape>(shape: S) =>
	z.strictObject({ success, ...shape });
