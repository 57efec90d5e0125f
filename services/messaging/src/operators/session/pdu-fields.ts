import type { Pdu } from "./smpp-pdu.ts";

export function textField(pdu: Pdu, name: string): string | undefined {
	const value = pdu.fields[name];
	return typeof value === "string" ? value : undefined;
}

export function numberField(pdu: Pdu, name: string): number | undefined {
	const value = pdu.fields[name];
	return typeof value === "number" ? value : undefined;
}

export function octetsField(pdu: Pdu, name: string): Buffer | undefined {
	const value = pdu.fields[name];
	return Buffer.isBuffer(value) ? value : undefined;
}
