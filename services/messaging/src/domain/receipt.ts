import type { MessageFailureReason } from "./failure-reason.ts";
import {
	meaningOfStat,
	type NetworkError,
	type ReceiptState,
	statOfState,
} from "./receipt-meaning.ts";
import { parseReceiptText, type ReceiptText } from "./receipt-text.ts";

export interface ReceiptSource {
	readonly esmClass: number;
	readonly text: string;
	readonly receiptedMessageId?: string;
	readonly messageState?: number;
	readonly networkError?: Uint8Array;
}

export interface ParsedReceipt {
	/** The id exactly as it was received: that of the TLV if there is one. */
	readonly operatorMessageId: string;
	readonly state: ReceiptState;
	readonly reason?: MessageFailureReason;
	/** State and error code as received, for people. */
	readonly operatorError: string;
}

/** What an operator reports about one part. */
export interface Receipt extends ParsedReceipt {
	readonly operatorAccount: string;
	/**
	 * Keys that a stored `storeKey` of the same account may equal, most trusted first (1 to 3): the first that names a
	 * part counts.
	 */
	readonly matchKeys: readonly string[];
	/**
	 * Last seven digits of the numbers that it names: one is the recipient's. By a key other than the first only a part of
	 * that recipient is found. Empty when it names none.
	 */
	readonly numberTails: readonly string[];
	/** The receipt as received (its text, then its TLVs), without the text of the message. */
	readonly raw: string;
}

/** Message type bits of esm_class, and the two types that report on a message (5.2.12). */
const MESSAGE_TYPE = 0x3c;
const DELIVERY_RECEIPT = 0x04;
const INTERMEDIATE_NOTIFICATION = 0x20;

/** True when a deliver_sm reports on a message rather than being one. */
export function isReceipt(source: ReceiptSource): boolean {
	return (
		isMarkedReceipt(source.esmClass) ||
		source.receiptedMessageId !== undefined ||
		isReceiptText(source.text)
	);
}

export function isMarkedReceipt(esmClass: number): boolean {
	const type = esmClass & MESSAGE_TYPE;
	return type === DELIVERY_RECEIPT || type === INTERMEDIATE_NOTIFICATION;
}

export function isReceiptText(text: string): boolean {
	const fields = parseReceiptText(text);
	return fields.id !== undefined && fields.stat !== undefined;
}

/** Reads a receipt; TLVs win over the text. Undefined when it names no message or no state. */
export function parseReceipt(source: ReceiptSource): ParsedReceipt | undefined {
	const fields = parseReceiptText(source.text);
	const operatorMessageId = cleanId(source.receiptedMessageId) ?? fields.id;
	const stat = statOfState(source.messageState) ?? fields.stat;
	if (operatorMessageId === undefined || stat === undefined) return undefined;
	const error = networkErrorOf(source.networkError);
	const { state, reason } = meaningOfStat(stat, error);
	return {
		operatorMessageId,
		state,
		operatorError: errorText(stat, fields, error),
		...(reason && { reason }),
	};
}

function cleanId(id: string | undefined): string | undefined {
	const cleaned = id?.replaceAll("\0", "").trim();
	return cleaned === "" ? undefined : cleaned;
}

function errorText(
	stat: string,
	fields: ReceiptText,
	error: NetworkError | undefined,
): string {
	if (error !== undefined)
		return `${stat} network:${error.network} err:${error.code}`;
	return fields.err === undefined ? stat : `${stat} err:${fields.err}`;
}

function networkErrorOf(
	octets: Uint8Array | undefined,
): NetworkError | undefined {
	const [network, high, low] = octets ?? [];
	if (network === undefined || high === undefined || low === undefined)
		return undefined;
	return { network, code: high * 256 + low };
}
