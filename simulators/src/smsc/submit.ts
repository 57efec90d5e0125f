import {
	numberField,
	octetsField,
	type Pdu,
	textField,
} from "@airtower/messaging/src/operators/smpp-pdu.ts";
import type { Submit } from "./submit-log.ts";
import { partText } from "./submit-text.ts";

const UDH_INDICATOR = 0x40;
/** Information element of an 8-bit concatenation reference. */
const CONCATENATION = 0;

/** What a submit_sm says, before the operator has decided on it. */
export type SubmitRequest = Omit<
	Submit,
	"at" | "systemId" | "id" | "status" | "answered"
>;

interface Place {
	readonly part: number;
	readonly total: number;
	readonly reference: number;
}

/** Reads a submit_sm. */
export function readSubmit(pdu: Pdu): SubmitRequest {
	const short = octetsField(pdu, "short_message");
	const payload = octetsField(pdu, "message_payload");
	const inPayload = !short?.length && payload !== undefined;
	const content = (inPayload ? payload : short) ?? Buffer.alloc(0);
	const esmClass = number(pdu, "esm_class");
	const hasHeader = (esmClass & UDH_INDICATOR) !== 0;
	const headerLength = hasHeader ? (content[0] ?? 0) + 1 : 0;
	const dataCoding = number(pdu, "data_coding");
	return {
		source: textField(pdu, "source_addr") ?? "",
		destination: textField(pdu, "destination_addr") ?? "",
		text: partText(content.subarray(headerLength), dataCoding),
		inPayload,
		...(hasHeader ? headerPlace(content) : sarPlace(pdu)),
		sourceTon: number(pdu, "source_addr_ton"),
		sourceNpi: number(pdu, "source_addr_npi"),
		destinationTon: number(pdu, "dest_addr_ton"),
		destinationNpi: number(pdu, "dest_addr_npi"),
		esmClass,
		dataCoding,
		registeredDelivery: number(pdu, "registered_delivery"),
		validity: textField(pdu, "validity_period") ?? "",
	};
}

const number = (pdu: Pdu, name: string) => numberField(pdu, name) ?? 0;

function headerPlace(content: Buffer): Place {
	const [, element, , reference = 0, total = 1, part = 1] = content;
	return element === CONCATENATION
		? { part, total, reference }
		: { part: 1, total: 1, reference: 0 };
}

function sarPlace(pdu: Pdu): Place {
	return {
		part: numberField(pdu, "sar_segment_seqnum") ?? 1,
		total: numberField(pdu, "sar_total_segments") ?? 1,
		reference: number(pdu, "sar_msg_ref_num"),
	};
}
