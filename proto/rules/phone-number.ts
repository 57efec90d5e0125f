import {
	type CountryCode,
	isSupportedCountry,
	Metadata,
	parsePhoneNumberFromString,
} from "libphonenumber-js";

const MAX_INPUT_LENGTH = 32;
const INTERNATIONAL = /^\+[0-9 \u00a0\u202f().\-/]+$/;
const DIGITS = /^[0-9]+$/;
const PUNCTUATED = /^[0-9(][0-9 \u00a0\u202f().\-/]*$/;

type NationalPrefixPlan = { nationalPrefix(): string | undefined };

const metadata = new Metadata();

/** E.164 with "+". Digits alone are read as international first where national numbers begin with 0. */
export function normalizePhoneNumber(
	input: string,
	defaultCountry: string,
): string | undefined {
	const text = input.trim();
	if (text.length > MAX_INPUT_LENGTH) return undefined;
	if (INTERNATIONAL.test(text)) return validNumber(text);
	if (!isSupportedCountry(defaultCountry))
		return DIGITS.test(text) ? validNumber(`+${text}`) : undefined;
	if (!PUNCTUATED.test(text)) return undefined;
	const digits = text.replace(/[^0-9]/g, "");
	return looksNational(digits, defaultCountry)
		? (validNumber(digits, defaultCountry) ?? validNumber(`+${digits}`))
		: (validNumber(`+${digits}`) ?? validNumber(digits, defaultCountry));
}

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
