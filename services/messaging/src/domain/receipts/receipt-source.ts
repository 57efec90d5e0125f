import { parseReceiptText } from "./receipt-text.ts";

export interface ReceiptSource {
	readonly esmClass: number;
	readonly text: string;
	readonly receiptedMessageId?: string;
	readonly messageState?: number;
	readonly networkError?: Uint8Array;
}

/** Bits of esm_class (5.2.12). */
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
