import type { Charset } from "./charset.ts";

/** Which part of a long text it is. */
export interface PartPlace {
	readonly referenceBits: 8 | 16;
	readonly reference: number;
	/** Parts of the text, 2 to 255. */
	readonly total: number;
	/** From 1. */
	readonly number: number;
}

/** What one delivery of an operator carries: a text, or a part of one. */
export interface InboundPart {
	readonly route: string;
	readonly operatorAccount: string;
	/** The phone, see `toInboundAddress`. */
	readonly sender: string;
	readonly recipient: string;
	readonly charset: Charset;
	/** Without the user data header. */
	readonly octets: Buffer;
	/** Undefined for a text that came in one. */
	readonly place: PartPlace | undefined;
}

export type LongPart = InboundPart & { readonly place: PartPlace };

export function isOfLongText(part: InboundPart): part is LongPart {
	return part.place !== undefined;
}
