import { canonicalKeys } from "../domain/operator-message-id.ts";
import {
	isReceipt,
	parseReceipt,
	type ReceiptSource,
} from "../domain/receipt.ts";
import type { Receipt } from "./operator.ts";
import { numberField, octetsField, type Pdu, textField } from "./smpp-pdu.ts";
import type { SmppRoute } from "./smpp-route.ts";

const UDH_INDICATOR = 0x40;
const UCS2 = 8;
/** Longest kept text of a receipt, characters. */
const MAX_RAW = 400;

/** "receipt" with what it says, "unreadable" for a receipt without id or state, "message" for anything else. */
export type Delivered =
	| { readonly kind: "receipt"; readonly receipt: Receipt }
	| { readonly kind: "unreadable"; readonly raw: string }
	| { readonly kind: "message" };

/** Reads a deliver_sm or data_sm that arrived at `now`. */
export function readDelivered(
	pdu: Pdu,
	route: SmppRoute,
	now: Date,
): Delivered {
	const source = receiptSource(pdu);
	if (!isReceipt(source)) return { kind: "message" };
	const { utcOffsetMinutes } = route;
	const parsed = parseReceipt(source, { now, utcOffsetMinutes });
	const raw = rawText(source);
	if (parsed === undefined) return { kind: "unreadable", raw };
	const receipt = {
		...parsed,
		operatorAccount: route.account,
		matchKeys: canonicalKeys(parsed.operatorMessageId, route.receiptIds),
		raw,
	};
	return { kind: "receipt", receipt };
}

function receiptSource(pdu: Pdu): ReceiptSource {
	const receiptedMessageId = textField(pdu, "receipted_message_id");
	const messageState = numberField(pdu, "message_state");
	const networkError = octetsField(pdu, "network_error_code");
	return {
		esmClass: numberField(pdu, "esm_class") ?? 0,
		text: textOf(pdu),
		...(receiptedMessageId !== undefined && { receiptedMessageId }),
		...(messageState !== undefined && { messageState }),
		...(networkError !== undefined && { networkError }),
	};
}

/** Receipts are ASCII whatever data_coding says, but for UCS-2. */
function textOf(pdu: Pdu): string {
	const octets = contentOf(pdu);
	if (numberField(pdu, "data_coding") !== UCS2)
		return octets.toString("latin1");
	const even = octets.subarray(0, octets.length & ~1);
	return Buffer.from(even).swap16().toString("utf16le");
}

function contentOf(pdu: Pdu): Buffer {
	const short = octetsField(pdu, "short_message");
	const payload = octetsField(pdu, "message_payload");
	const octets = (short?.length ? short : payload) ?? Buffer.alloc(0);
	const hasHeader =
		((numberField(pdu, "esm_class") ?? 0) & UDH_INDICATOR) !== 0;
	return hasHeader ? octets.subarray((octets[0] ?? 0) + 1) : octets;
}

/** The receipt for people, cut before the text of the message. */
function rawText(source: ReceiptSource): string {
	const text = source.text.replace(/(?<![\w-])text[ ]*:.*$/is, "").trim();
	const tlvs = [
		source.receiptedMessageId &&
			`receipted_message_id=${source.receiptedMessageId}`,
		source.messageState !== undefined && `message_state=${source.messageState}`,
		source.networkError &&
			`network_error_code=${Buffer.from(source.networkError).toString("hex")}`,
	];
	const all = [text, ...tlvs].filter(Boolean).join(" ");
	return all.replaceAll("\0", "").slice(0, MAX_RAW);
}
