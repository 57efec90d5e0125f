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

/** Those that the codec does not know: it leaves them under their tags, in decimal. */
export function unknownTlvs(pdu: ReceivedPdu): Record<string, string> {
	const tlvs: Record<string, string> = {};
	for (const [key, value] of Object.entries(pdu))
		if (/^\d+$/.test(key) && Buffer.isBuffer(value))
			tlvs[`0x${Number(key).toString(16).padStart(4, "0")}`] =
				value.toString("hex");
	return tlvs;
}
