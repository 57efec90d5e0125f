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
	/** The phone, see `toInboundPhone`. */
	readonly sender: string;
	readonly recipient: string;
	readonly charset: Charset;
	/** Without the user data header. */
	readonly octets: Buffer;
	/** Undefined for a text that came in one. */
	readonly place: PartPlace | undefined;
	/** Where the operator has one: it knows a repetition better than what was said does. */
	readonly operatorMessageId?: string | undefined;
	/** Parts in which the phone sent what the operator has joined, 1 to 255; 1 where absent. */
	readonly partCount?: number | undefined;
}

export type LongPart = InboundPart & { readonly place: PartPlace };

export function isOfLongText(part: InboundPart): part is LongPart {
	return part.place !== undefined;
}
