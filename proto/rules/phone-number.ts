import {
	type CountryCode,
	getCountries,
	getCountryCallingCode,
	isSupportedCountry,
	Metadata,
	parsePhoneNumberFromString,
} from "libphonenumber-js";

const MAX_INPUT_LENGTH = 32;
/** Marks of direction and of width: address books and Excel put some around numbers, and nobody sees them. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const INTERNATIONAL = /^\+[0-9 \u00a0\u202f().\-/]+$/;
const DIGITS = /^[0-9]+$/;
const PUNCTUATED = /^[0-9(][0-9 \u00a0\u202f().\-/]*$/;

type NationalPrefixPlan = { nationalPrefix(): string | undefined };

const metadata = new Metadata();

/** A few codes, such as +1, are of several countries. */
const COUNTRIES_BY_CODE = Map.groupBy(
	getCountries(),
	(country) => `+${getCountryCallingCode(country)}`,
);
/** No calling code begins with another one; those that no country has are of three digits. */
const SHORT_CALLING_CODES = new Set(
	[...COUNTRIES_BY_CODE.keys()].filter((code) => code.length < "+xxx".length),
);

/**
 * E.164 with "+". Digits alone are read as international first where national numbers begin with 0; not where those at
 * the front are in parentheses, which no country's code is (ITU-T E.123): Brazil writes its area codes so, without a 0.
 */
export function normalizePhoneNumber(
	input: string,
	defaultCountry: string,
): string | undefined {
	const text = input.replace(INVISIBLE, "").trim();
	if (text.length > MAX_INPUT_LENGTH) return undefined;
	if (INTERNATIONAL.test(text)) return internationalNumber(text);
	if (!isSupportedCountry(defaultCountry))
		return DIGITS.test(text) ? internationalNumber(`+${text}`) : undefined;
	if (!PUNCTUATED.test(text)) return undefined;
	const digits = text.replace(/[^0-9]/g, "");
	return text.startsWith("(") || looksNational(digits, defaultCountry)
		? (validNumber(digits, defaultCountry) ?? internationalNumber(`+${digits}`))
		: (internationalNumber(`+${digits}`) ??
				validNumber(digits, defaultCountry));
}

/** E.164 with "+" of digits that are a national number, whatever else they may be. */
export function normalizeNationalNumber(
	digits: string,
	country: string,
): string | undefined {
	return DIGITS.test(digits) && isSupportedCountry(country)
		? validNumber(digits, country)
		: undefined;
}

/** A Mexican mobile with the 1 that was dialled before it until 2019; some networks and WhatsApp write it still. */
const FORMER_MEXICAN = /^(\+?52)1([0-9]{10})$/;

/** A number with its country's code as the country has it today; any other stays as it is. */
export function toPresentPlan(number: string): string {
	return number.replace(FORMER_MEXICAN, "$1$2");
}

/** The calling code that a number in E.164 begins with, as "+33"; empty for an empty number. */
export function findCallingCode(number: string): string {
	for (const length of ["+x".length, "+xx".length]) {
		const code = number.slice(0, length);
		if (SHORT_CALLING_CODES.has(code)) return code;
	}
	return number.slice(0, "+xxx".length);
}

/** ISO 3166-1 alpha-2 country of a valid number in E.164; undefined for one of no country. */
export function findCountry(number: string): string | undefined {
	const countries = COUNTRIES_BY_CODE.get(findCallingCode(number)) ?? [];
	return countries.length > 1
		? parsePhoneNumberFromString(number)?.country
		: countries[0];
}

interface NationalForms {
	/**
	 * Digits alone, with what is dialled before the number within its country, and without; and as it was written before
	 * its country changed that.
	 */
	readonly forms: readonly string[];
	/** What numbers of the country begin with, as "+33". */
	readonly callingCode: string;
}

/** How a number in E.164 is written within its country; no forms of what is no number. */
export function nationalForms(number: string): NationalForms {
	const parsed = parsePhoneNumberFromString(number);
	if (parsed === undefined) return { forms: [], callingCode: number };
	const dialled = parsed.formatNational().replace(/[^0-9]/g, "");
	const former = number.replace(/^\+52([0-9]{10})$/, "521$1");
	const formers = former === number ? [] : [former];
	return {
		forms: [...new Set([parsed.nationalNumber, dialled, ...formers])],
		callingCode: `+${parsed.countryCallingCode}`,
	};
}

/** The calling code of a country, as "33"; undefined for what is no country. @param country ISO 3166-1 alpha-2 */
export function findCountryCode(country: string): string | undefined {
	return isSupportedCountry(country)
		? getCountryCallingCode(country)
		: undefined;
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

/** Also a Mexican one as lists from before 2019 have it. */
function internationalNumber(text: string): string | undefined {
	return validNumber(toPresentPlan(text.replace(/[^+0-9]/g, "")));
}

function validNumber(text: string, country?: CountryCode): string | undefined {
	const number =
		country === undefined
			? parsePhoneNumberFromString(text)
			: parsePhoneNumberFromString(text, country);
	return number?.isValid() ? number.number : undefined;
}
