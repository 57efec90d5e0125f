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

export const PHONE_FORMS = [
	"'+' and the international number, or digits alone",
	"(international; national when the organization has a default country).",
].join(" ");

/** An id in its usual form; responses only, where nothing needs to be checked. */
export const uuidText = () =>
	z.string().meta({ format: "uuid", description: "UUIDv7." });

const success = z.literal(true);

/** No query parameter at all: what a route takes that declares none. */
export const noQuery = z.strictObject({});

export const successBody = <S extends z.core.$ZodLooseShape>(shape: S) =>
	z.strictObject({ success, ...shape });
