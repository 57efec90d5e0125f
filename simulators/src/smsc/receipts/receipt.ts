import type { Fields } from "smpp";
import { toMessageId } from "../message-ids.ts";
import type { SmscSettings } from "../settings.ts";

export interface PendingReceipt {
	readonly key: string;
	readonly systemId: string;
	readonly number: bigint;
	/** Recipient and sender of the part: those of the receipt, the other way round. */
	readonly recipient: string;
	readonly sender: string;
	readonly stat: string;
	readonly err: string;
	/** Unix times, ms. */
	readonly submittedAt: number;
	readonly doneAt: number;
}

const RECEIPT = 0x04;
const INTERNATIONAL = 1;

/** message_state by `stat`. */
const STATES: Readonly<Record<string, number>> = {
	DELIVRD: 2,
	EXPIRED: 3,
	UNDELIV: 5,
};

export function toReceiptFields(
	receipt: PendingReceipt,
	settings: SmscSettings,
): Fields {
	const id = toMessageId(receipt.number, settings.receiptIds);
	const style = settings.receiptStyle;
	const text = style === "tlv" ? "" : toReceiptText(receipt, id);
	const octets = Buffer.from(text, "latin1");
	return {
		source_addr_ton: INTERNATIONAL,
		source_addr_npi: 1,
		source_addr: receipt.recipient,
		destination_addr: receipt.sender,
		esm_class: RECEIPT,
		data_coding: 0,
		...(style === "payload"
			? { message_payload: octets }
			: { short_message: octets }),
		...((style === "full" || style === "tlv") && {
			receipted_message_id: id,
			message_state: STATES[receipt.stat] ?? 0,
		}),
	};
}

function toReceiptText(receipt: PendingReceipt, id: string): string {
	const { stat, err, submittedAt, doneAt } = receipt;
	const delivered = stat === "DELIVRD" ? "001" : "000";
	return (
		`id:${id} sub:001 dlvrd:${delivered} submit date:${toShortTime(submittedAt)} ` +
		`done date:${toShortTime(doneAt)} stat:${stat} err:${err} text:`
	);
}

let lastMinute = { minute: -1, text: "" };

/** YYMMDDhhmm, UTC. Receipts come by the thousand within a minute. */
function toShortTime(unixMs: number): string {
	const minute = Math.floor(unixMs / 60_000);
	if (lastMinute.minute !== minute) {
		const text = new Date(unixMs).toISOString().replace(/\D/g, "").slice(2, 12);
		lastMinute = { minute, text };
	}
	return lastMinute.text;
}
