import {
	type CountryCode,
	isSupportedCountry,
	Metadata,
	parsePhoneNumberFromString,
} from "libphonenumber-js";

const MAX_INPUT_LENGTH = 32;
const INTERNATIONAL = /^\+[0-9 ().\-/]+$/;
const DIGITS = /^[0-9]+$/;

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
	if (!DIGITS.test(text)) return undefined;
	if (!isSupportedCountry(defaultCountry)) return validNumber(`+${text}`);
	return looksNational(text, defaultCountry)
		? (validNumber(text, defaultCountry) ?? validNumber(`+${text}`))
		: (validNumber(`+${text}`) ?? validNumber(text, defaultCountry));
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
