import type { ReceivedPdu } from "smpp";
import {
	numberField,
	octetsField,
	textField,
	unknownTlvs,
} from "./pdu-fields.ts";
import type { Submit } from "./submit-log.ts";
import { decodeText } from "./submit-text.ts";

const UDH_INDICATOR = 0x40;
/** Information elements of concatenation, with a reference of 8 and of 16 bits. */
const CONCATENATION = 0;
const WIDE_CONCATENATION = 8;

export type SubmitRequest = Omit<
	Submit,
	"at" | "systemId" | "id" | "status" | "answered"
>;

interface Position {
	readonly part: number;
	readonly total: number;
	readonly reference: number;
}

export function parseSubmit(pdu: ReceivedPdu): SubmitRequest {
	const short = octetsField(pdu, "short_message");
	const payload = octetsField(pdu, "message_payload");
	const inPayload = !short?.length && payload !== undefined;
	const content = (inPayload ? payload : short) ?? Buffer.alloc(0);
	const esmClass = numberField(pdu, "esm_class");
	const hasHeader = (esmClass & UDH_INDICATOR) !== 0;
	const headerLength = hasHeader ? (content[0] ?? 0) + 1 : 0;
	const dataCoding = numberField(pdu, "data_coding");
	return {
		source: textField(pdu, "source_addr"),
		destination: textField(pdu, "destination_addr"),
		text: decodeText(content.subarray(headerLength), dataCoding),
		inPayload,
		...(hasHeader ? positionFromHeader(content) : positionFromSar(pdu)),
		serviceType: textField(pdu, "service_type"),
		protocolId: numberField(pdu, "protocol_id"),
		priority: numberField(pdu, "priority_flag"),
		tlvs: unknownTlvs(pdu),
		sourceTon: numberField(pdu, "source_addr_ton"),
		sourceNpi: numberField(pdu, "source_addr_npi"),
		destinationTon: numberField(pdu, "dest_addr_ton"),
		destinationNpi: numberField(pdu, "dest_addr_npi"),
		esmClass,
		dataCoding,
		registeredDelivery: numberField(pdu, "registered_delivery"),
		validity: textField(pdu, "validity_period"),
	};
}

function positionFromHeader(content: Buffer): Position {
	const element = content[1];
	if (element === WIDE_CONCATENATION) {
		const [total = 1, part = 1] = content.subarray(5);
		return { part, total, reference: content.readUInt16BE(3) };
	}
	const [reference = 0, total = 1, part = 1] = content.subarray(3);
	return element === CONCATENATION
		? { part, total, reference }
		: { part: 1, total: 1, reference: 0 };
}

function positionFromSar(pdu: ReceivedPdu): Position {
	return {
		part: numberField(pdu, "sar_segment_seqnum") || 1,
		total: numberField(pdu, "sar_total_segments") || 1,
		reference: numberField(pdu, "sar_msg_ref_num"),
	};
}
