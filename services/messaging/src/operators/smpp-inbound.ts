import { charsetOf } from "../domain/inbound/charset.ts";
import {
	toInboundAddress,
	toInboundPhone,
} from "../domain/inbound/inbound-address.ts";
import type { InboundPart, PartPlace } from "../domain/inbound/inbound-part.ts";
import { readPlace, toPlace } from "../domain/inbound/user-data-header.ts";
import type { SmppRoute } from "./route/smpp-route.ts";
import {
	numberField,
	type Pdu,
	textField,
	userDataOf,
} from "./session/smpp-pdu.ts";

/** Reads a deliver_sm or data_sm that is a text to us, or a part of one. */
export function readInboundPart(
	pdu: Pdu,
	{ code, account, alphabet }: SmppRoute,
): InboundPart {
	const { header, content } = userDataOf(pdu);
	const dataCoding = numberField(pdu, "data_coding") ?? 0;
	return {
		route: code,
		operatorAccount: account,
		sender: toInboundPhone(
			textField(pdu, "source_addr") ?? "",
			numberField(pdu, "source_addr_ton"),
		),
		recipient: toInboundAddress(
			textField(pdu, "destination_addr") ?? "",
			numberField(pdu, "dest_addr_ton"),
		),
		charset: charsetOf(dataCoding, alphabet),
		octets: content,
		place: readPlace(header) ?? placeInTlvs(pdu),
	};
}

/** SMPP 3.4, 5.3.2.22 to 5.3.2.24. */
function placeInTlvs(pdu: Pdu): PartPlace | undefined {
	const reference = numberField(pdu, "sar_msg_ref_num");
	if (reference === undefined) return undefined;
	const total = numberField(pdu, "sar_total_segments") ?? 0;
	const number = numberField(pdu, "sar_segment_seqnum") ?? 0;
	// Some operators write it in more octets than the standard's two.
	return toPlace(16, reference % 0x1_0000, total, number);
}
