import { randomInt } from "node:crypto";
import type { Fields } from "smpp";
import { encodeText } from "../submit-text.ts";

/** How a text says that it comes in parts. "payload": it does not, and is in message_payload. */
export const partForms = ["udh8", "udh16", "sar", "payload"] as const;
type PartForm = (typeof partForms)[number];

/** A text that a phone sends. */
export interface OriginatedText {
	readonly from: string;
	readonly to: string;
	/** Written in the alphabet of `dataCoding`: 0 GSM 03.38, 3 Latin-1, 8 UCS-2. */
	readonly text?: string | undefined;
	/** Octets in hexadecimal in place of a text. */
	readonly hex?: string | undefined;
	readonly dataCoding?: number | undefined;
	readonly form?: PartForm | undefined;
	/** What its parts have in common; by chance where absent. */
	readonly reference?: number | undefined;
	/** How often each of its parts is sent again, although it was taken. */
	readonly repeats?: number | undefined;
	readonly isShuffled?: boolean | undefined;
}

/** Octets of a text that comes in one, and of a part. */
const WHOLE = { septets: 160, octets: 140 } as const;
const PART = { septets: 152, octets: 132 } as const;
const UDH = 0x40;
const INTERNATIONAL = 1;

/** The deliver_sm of a text, in the order in which they are to be sent. */
export function toDeliveries(text: OriginatedText): Fields[] {
	const { dataCoding = 0, form = "udh8", repeats = 0 } = text;
	const octets =
		text.hex === undefined
			? encodeText(text.text ?? "", dataCoding)
			: Buffer.from(text.hex, "hex");
	const common = {
		source_addr_ton: INTERNATIONAL,
		source_addr_npi: 1,
		source_addr: text.from.replace("+", ""),
		dest_addr_ton: INTERNATIONAL,
		dest_addr_npi: 1,
		destination_addr: text.to.replace("+", ""),
		data_coding: dataCoding,
		esm_class: 0,
	};
	const parts = split(octets, dataCoding, form);
	const max = form === "udh8" ? 0x100 : 0x1_0000;
	const reference = text.reference ?? randomInt(max);
	const all = parts.map((part, index) => ({
		...common,
		...toContent(part, form, [reference, parts.length, index + 1]),
	}));
	const sent = Array.from({ length: 1 + repeats }, () => all).flat();
	return text.isShuffled ? shuffle(sent) : sent;
}

function split(octets: Buffer, dataCoding: number, form: PartForm): Buffer[] {
	const unit = dataCoding === 0 ? "septets" : "octets";
	if (form === "payload" || octets.length <= WHOLE[unit]) return [octets];
	const parts: Buffer[] = [];
	for (let at = 0; at < octets.length; at += PART[unit])
		parts.push(octets.subarray(at, at + PART[unit]));
	return parts;
}

function toContent(
	part: Buffer,
	form: PartForm,
	[reference, total, number]: [number, number, number],
): Fields {
	if (form === "payload") return { message_payload: part };
	if (total === 1) return { short_message: part };
	if (form === "sar")
		return {
			short_message: part,
			sar_msg_ref_num: reference,
			sar_total_segments: total,
			sar_segment_seqnum: number,
		};
	const header =
		form === "udh8"
			? [5, 0, 3, reference, total, number]
			: [6, 8, 4, reference >> 8, reference & 0xff, total, number];
	const octets = Buffer.concat([Buffer.from(header), part]);
	return { esm_class: UDH, short_message: octets };
}

export function shuffle<T>(items: readonly T[]): T[] {
	const shuffled = [...items];
	for (let last = shuffled.length - 1; last > 0; last--) {
		const other = randomInt(last + 1);
		[shuffled[last], shuffled[other]] = [
			shuffled[other] as T,
			shuffled[last] as T,
		];
	}
	return shuffled;
}
