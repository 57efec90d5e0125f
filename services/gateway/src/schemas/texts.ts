import {
	FILLED_PLAIN_PATTERN,
	isLongerThan,
	isPlain,
	isStorable,
	PLAIN_PATTERN,
} from "@airtower/proto/rules/plain-text";
import { z } from "zod";

export const storableText = () =>
	z
		.string()
		.refine(isStorable, {
			params: { code: "invalid_characters" },
			message: "contains a NUL character or half of a surrogate pair",
		})
		.meta({ pattern: "^[^\\u0000]*$" });

/** Text whose length is counted in Unicode characters, as JSON Schema and the services count it. */
export const text = (
	minLength: 0 | 1,
	maxLength: number,
	tooLong: "too_long" | "message_too_long" = "too_long",
) =>
	storableText()
		.refine((value) => value.length >= minLength, {
			params: { code: "too_short" },
			message: "must have at least one character",
		})
		.refine((value) => !isLongerThan(value, maxLength), {
			params: { code: tooLong },
			message: `must have at most ${maxLength} characters`,
		})
		.meta({ ...(minLength > 0 && { minLength }), maxLength });

/** Text of 1 to `maxLength` characters that are not all white space. */
export const filledText = (
	maxLength: number,
	tooLong?: "too_long" | "message_too_long",
) =>
	text(1, maxLength, tooLong)
		.refine((value) => value === "" || /\S/.test(value), {
			params: { code: "too_short" },
			message: "must not be blank",
		})
		.meta({ pattern: "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$" });

/** One line of text without control characters and without characters that change the direction of text. */
export const plainText = (minLength: 0 | 1, maxLength: number) =>
	withoutControls(text(minLength, maxLength)).meta({ pattern: PLAIN_PATTERN });

/** Plain text of at least one character, not all of it white space. */
export const nameText = (maxLength: number) =>
	withoutControls(filledText(maxLength)).meta({
		pattern: FILLED_PLAIN_PATTERN,
	});

function withoutControls(given: z.ZodString): z.ZodString {
	// Text that cannot be stored has been refused already: one error is enough.
	return given.refine((value) => isPlain(value) || !isStorable(value), {
		params: { code: "invalid_characters" },
		message:
			"contains a control character, or one that changes the direction of text",
	});
}

export const PHONE_DESCRIPTION = [
	"'+' and the international number, or digits alone (international;",
	"national, also with spaces, dots or dashes, when the organization has a default country).",
].join(" ");

/** Text that looks like a phone number; the services decide whether it is one. */
export const phoneText = (maxLength: number) =>
	text(1, maxLength).meta({
		pattern: "^\\s*[+(0-9][0-9 \\u00a0\\u202f().\\-/]*\\s*$",
	});
