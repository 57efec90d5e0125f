import {
	normalizePhoneNumber,
	toPresentPlan,
} from "@airtower/proto/rules/phone-number";

/** type_of_number: a national number, whose country the operator leaves out (SMPP 3.4, 5.2.5). */
const NATIONAL = 2;
const MAX_LENGTH = 32;

/**
 * An address as it is stored and compared: E.164 with "+" for a number in international form, with or without its plus
 * or zeros; short codes, names and national numbers as they are, and numbers of no known country without a plus, which
 * one operator writes and another does not. Empty for an empty one.
 */
export function toInboundAddress(address: string, typeOfNumber = 0): string {
	const plain = address.replace(CONTROLS, "").trim().slice(0, MAX_LENGTH);
	if (typeOfNumber === NATIONAL) return plain;
	const digits = /^(?:\+|00)?(\d+)$/.exec(plain)?.[1];
	if (digits === undefined) return plain;
	const number = normalizePhoneNumber(`+${digits}`, "");
	return number ?? plain.replace("+", "");
}

/** The same of a phone that writes: under the number by which it is sent to, however its network writes that. */
export function toInboundPhone(address: string, typeOfNumber = 0): string {
	const phone = toInboundAddress(address, typeOfNumber);
	return typeOfNumber === NATIONAL
		? phone
		: toInboundAddress(toPresentPlan(phone));
}

/** What cannot be stored, or would not be seen. */
const CONTROLS = /\p{Cc}/gu;
