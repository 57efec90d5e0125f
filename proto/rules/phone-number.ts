import {
	type CountryCode,
	isSupportedCountry,
	Metadata,
	parsePhoneNumberFromString,
} from "libphonenumber-js";

/** Longest input that is looked at, characters: E.164 has 15 digits, the rest is punctuation. */
const MAX_INPUT_LENGTH = 32;
const INTERNATIONAL = /^\+[0-9 ().\-/]+$/;
const DIGITS = /^[0-9]+$/;

/** The library's types leave this method out. */
type NationalPrefixPlan = { nationalPrefix(): string | undefined };

const metadata = new Metadata();

/**
 * Reads a phone number and returns it as E.164 with "+", or undefined when it is no valid number.
 * Accepted are "+" international and digits alone. Digits are read the way they are dialled:
 * in a country that marks national numbers with a leading 0 as international unless they start with 0,
 * in one without such a mark as national if that is valid. Without a country: international.
 * @param defaultCountry ISO 3166-1 alpha-2, empty for none
 */
export function normalizePhoneNumber(
	input: string,
	defaultCountry: string,
): string | undefined {
	const text = input.trim();
	if (text.length > MAX_INPUT_LENGTH) return undefined;
	if (INTERNATIONAL.test(text)) return validNumber(text);
	if (!DIGITS.test(text)) return undefined;
	if (!isSupportedCountry(defaultCountry)) return validNumber(`+${text}`);
	return looksNational(text, defaultCountry)
		? (validNumber(text, defaultCountry) ?? validNumber(`+${text}`))
		: (validNumber(`+${text}`) ?? validNumber(text, defaultCountry));
}

/** True for a country, ISO 3166-1 alpha-2, whose numbers can be read. */
export function isNumberedCountry(code: string): boolean {
	return isSupportedCountry(code);
}

function looksNational(digits: string, country: CountryCode): boolean {
	if (digits.startsWith("0")) return true;
	metadata.selectNumberingPlan(country);
	const plan = metadata.numberingPlan as NationalPrefixPlan | undefined;
	return plan?.nationalPrefix() !== "0";
}

function validNumber(text: string, country?: CountryCode): string | undefined {
	const number =
		country === undefined
			? parsePhoneNumberFromString(text)
			: parsePhoneNumberFromString(text, country);
	return number?.isValid() ? number.number : undefined;
}
