import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";

/** UTF-16 units of a text that was given as a phone number. */
const MAX_LENGTH = 64;

/** What is kept of a text that was given as a number: the database has neither NUL nor half of a surrogate pair. */
export function toStoredNumber(text: string): string {
	return text.replaceAll("\0", "").slice(0, MAX_LENGTH).toWellFormed();
}

interface ReadNumbers {
	/** In E.164 form. */
	readonly phones: readonly string[];
	/** Texts that are no numbers. */
	readonly invalid: readonly string[];
}

/** @param country ISO 3166-1 alpha-2, in which a national number is read; empty for none */
export function readNumbers(
	given: readonly string[],
	country: string,
): ReadNumbers {
	const phones: string[] = [];
	const invalid: string[] = [];
	for (const text of given) {
		const phone = normalizePhoneNumber(text, country);
		if (phone === undefined) invalid.push(text);
		else phones.push(phone);
	}
	return { phones, invalid };
}
