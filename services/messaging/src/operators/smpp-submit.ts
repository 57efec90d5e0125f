import { crc32 } from "node:zlib";
import {
	concatenationHeader,
	type DataCoding,
	encodeParts,
	encodeWhole,
	type UserData,
} from "../domain/text/user-data.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";
import { encodeTlvs } from "./route/route-tlvs.ts";
import type { AddressType } from "./route/route-values.ts";
import type { SmppRoute } from "./route/smpp-route.ts";
import type { PduFields } from "./session/smpp-pdu.ts";

/** esm_class (SMPP 3.4, 5.2.12). */
const UDH_INDICATOR = 0x40;
const FINAL_RECEIPT = 0x01;
/** Octets of one short message by data_coding: 160 septets, one to an octet, or 70 UTF-16 units. */
const ONE_MESSAGE = { 0: 160, 8: 140 } as const;
const SHORT_CODE_DIGITS = 8;
const MAX_PARTS = 255;

export function submitFields(
	message: OutgoingMessage,
	route: SmppRoute,
): PduFields[] {
	const data = userData(message.body, route);
	if (data.parts.length > MAX_PARTS) return [];
	const common = commonFields(message, route, data);
	return data.parts.map((octets, i) => ({
		...common,
		...(route.long === "payload"
			? wholeFields(octets, data.dataCoding)
			: partFields(octets, i + 1, data.parts.length, message, route)),
	}));
}

/**
 * A number that tells how a text was split: another one where the octets of a part or what joins the parts differ, as
 * they may after a change of the route. Undefined for one part.
 */
export function splitOf(parts: readonly PduFields[]): number | undefined {
	if (parts.length < 2) return undefined;
	const split = parts.map(
		({ data_coding, esm_class, short_message, sar_msg_ref_num }) =>
			JSON.stringify([data_coding, esm_class, sar_msg_ref_num, short_message]),
	);
	// As the database's integer has a sign.
	return crc32(split.join("")) | 0;
}

/** True where a text may need more parts than the segments that it counts as. */
export function mayAddParts({
	long,
	encoding,
	referenceBits,
	alphabet,
}: SmppRoute): boolean {
	if (long === "payload") return false;
	return encoding === "ucs2" || referenceBits !== 8 || alphabet !== "gsm";
}

function userData(body: string, route: SmppRoute): UserData {
	return route.long === "payload"
		? encodeWhole(body, route)
		: encodeParts(body, route);
}

function commonFields(
	message: OutgoingMessage,
	route: SmppRoute,
	data: UserData,
): PduFields {
	const sender = withoutPlus(message.sender);
	const senderType = senderTypeOf(sender, route);
	return {
		service_type: route.serviceType,
		source_addr_ton: senderType.ton,
		source_addr_npi: senderType.npi,
		source_addr: sender,
		dest_addr_ton: route.recipient.ton,
		dest_addr_npi: route.recipient.npi,
		destination_addr: withoutPlus(message.to),
		protocol_id: route.protocolId,
		priority_flag: route.priority,
		registered_delivery: FINAL_RECEIPT,
		validity_period: relativeTime(message.validitySeconds),
		data_coding: data.dataCoding,
		routeTlvs: encodeTlvs(route.tlvs, message),
	};
}

function wholeFields(octets: Buffer, dataCoding: DataCoding): PduFields {
	return octets.length > ONE_MESSAGE[dataCoding]
		? { message_payload: octets }
		: { short_message: octets };
}

function partFields(
	octets: Buffer,
	number: number,
	total: number,
	message: OutgoingMessage,
	route: SmppRoute,
): PduFields {
	if (total === 1) return { short_message: octets };
	const reference = referenceOf(message, route);
	if (route.long === "sar")
		return {
			short_message: octets,
			sar_msg_ref_num: reference,
			sar_total_segments: total,
			sar_segment_seqnum: number,
		};
	const bits = route.referenceBits;
	const header = concatenationHeader(bits, reference, total, number);
	return {
		esm_class: UDH_INDICATOR,
		short_message: Buffer.concat([header, octets]),
	};
}

/** Of 16 bits the lower ones count, like those of 8; the upper ones are the last of the message's id. */
function referenceOf(
	{ reference, messageId }: OutgoingMessage,
	{ referenceBits }: SmppRoute,
): number {
	if (referenceBits === 8) return reference;
	return Number.parseInt(messageId.slice(-2), 16) * 256 + reference;
}

function senderTypeOf(sender: string, route: SmppRoute): AddressType {
	if (!/^\d+$/.test(sender)) return route.name;
	return sender.length <= SHORT_CODE_DIGITS ? route.shortCode : route.number;
}

function withoutPlus(address: string): string {
	return address.startsWith("+") ? address.slice(1) : address;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Days up to which years and months, whose length nobody agrees on, are not needed. */
const MAX_DAYS = 99;

/** A relative time, "YYMMDDhhmmss000R" (SMPP 3.4, 7.1.1), of a positive number of seconds. */
function relativeTime(seconds: number): string {
	const whole = Math.min(Math.max(1, Math.floor(seconds)), MAX_DAYS * DAY);
	const fields = [
		Math.floor(whole / DAY),
		Math.floor((whole % DAY) / HOUR),
		Math.floor((whole % HOUR) / MINUTE),
		whole % MINUTE,
	];
	const digits = fields.map((field) => String(field).padStart(2, "0"));
	return `0000${digits.join("")}000R`;
}
