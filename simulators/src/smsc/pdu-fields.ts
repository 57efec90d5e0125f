import type { ReceivedPdu } from "smpp";

export function textField(pdu: ReceivedPdu, name: string): string {
	const value = pdu[name];
	return typeof value === "string" ? value : "";
}

export function numberField(pdu: ReceivedPdu, name: string): number {
	const value = pdu[name];
	return typeof value === "number" ? value : 0;
}

export function octetsField(
	pdu: ReceivedPdu,
	name: string,
): Buffer | undefined {
	const value = pdu[name];
	return Buffer.isBuffer(value) ? value : undefined;
}
