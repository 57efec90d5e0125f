import type { ReceivedPdu } from "smpp";
import { numberField, octetsField, textField } from "./pdu-fields.ts";

/** SMPP 3.4, 5.1.3. */
const INVALID_LENGTH = 0x01;
const INVALID_SOURCE = 0x0a;
const INVALID_DESTINATION = 0x0b;
const INVALID_EXPIRY = 0x62;
const OPTION_NOT_ALLOWED = 0xc1;

/** Octets of short_message (5.2.21). */
const MAX_SHORT_MESSAGE = 254;
/** source_addr_ton (5.2.5) of a name, which has 11 characters at most (3GPP TS 23.040, 9.1.2.5). */
const ALPHANUMERIC = 5;
const NAME = /^.{1,11}$/;
/** source_addr and destination_addr (5.2.8, 5.2.9): what a number is dialled with, without "+". */
const NUMBER = /^\d{1,20}$/;
/** "YYMMDDhhmmsstnnp" (7.1.1): of the absolute form, and of the relative one, which has no tenths and no zone. */
const ABSOLUTE_TIME =
	/^\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d){2}\d([0-3]\d|4[0-8])[+-]$/;
const RELATIVE_TIME =
	/^\d\d(0\d|1[0-2])([0-2]\d|3[01])([01]\d|2[0-3])([0-5]\d){2}000R$/;

/** command_status of a submit_sm that breaks the standard; 0 for one that keeps it. */
export function findFault(pdu: ReceivedPdu): number {
	if (!isValidSource(pdu)) return INVALID_SOURCE;
	if (!NUMBER.test(textField(pdu, "destination_addr")))
		return INVALID_DESTINATION;
	if (!isValidTime(textField(pdu, "validity_period"))) return INVALID_EXPIRY;
	const { length = 0 } = octetsField(pdu, "short_message") ?? {};
	if (length > MAX_SHORT_MESSAGE) return INVALID_LENGTH;
	const hasPayload = octetsField(pdu, "message_payload") !== undefined;
	return length > 0 && hasPayload ? OPTION_NOT_ALLOWED : 0;
}

/** An empty one leaves it to the operator. */
function isValidSource(pdu: ReceivedPdu): boolean {
	const source = textField(pdu, "source_addr");
	const isName = numberField(pdu, "source_addr_ton") === ALPHANUMERIC;
	return source === "" || (isName ? NAME : NUMBER).test(source);
}

function isValidTime(time: string): boolean {
	return time === "" || ABSOLUTE_TIME.test(time) || RELATIVE_TIME.test(time);
}
