import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";
import { z } from "zod";
import { RefusalError } from "../errors.ts";

const PHONE = /^[+ ]?[0-9(][0-9 \u00a0\u202f().\-/]{3,30}$/;
/** Also a number that is valid no more: messages to it may be stored. */
const INTERNATIONAL = /^\+?([1-9][0-9]{5,14})$/;
const MESSAGE = "must be a phone number";

export const recipientFilter = z
	.string()
	.refine((value) => PHONE.test(value), {
		params: { code: "invalid_phone_number" },
		message: MESSAGE,
	})
	.optional()
	.meta({
		pattern: PHONE.source,
		description:
			"E.164, the '+' may be left out; or national, when the organization has a default country.",
	});

/** E.164, empty for none; an unescaped '+' arrives as a space. Throws for a national number of no country. */
export function filterRecipient(
	value: string | undefined,
	{ defaultCountry }: { readonly defaultCountry: string },
): string {
	if (value === undefined) return "";
	const given = value.replace(/^ /, "+");
	const digits = INTERNATIONAL.exec(given)?.[1];
	const number =
		normalizePhoneNumber(given, defaultCountry) ?? (digits && `+${digits}`);
	if (number !== undefined) return number;
	const detail = {
		field: "recipient",
		code: "invalid_phone_number",
		message: `'recipient' ${MESSAGE}.`,
	};
	throw new RefusalError({ code: "validation_failed", details: [detail] });
}
