import {
	countSeptets,
	encodeGsm7,
	type SplitText,
	splitText,
	splitUcs2,
} from "@airtower/proto/rules/segments";

export type Alphabet = "gsm" | "latin1" | "ascii";

/** data_coding: 0 the operator's default alphabet, 8 UCS-2 (SMPP 3.4, 5.2.19). */
export type DataCoding = 0 | 8;

export interface UserData {
	readonly dataCoding: DataCoding;
	readonly parts: readonly Buffer[];
}

const ALPHABET_END = { latin1: 0x100, ascii: 0x80 } as const;

/** The phone gets GSM-7 or UCS-2 in the end, so that septets are what is counted in any alphabet. */
export function encodeParts(text: string, alphabet: Alphabet): UserData {
	const dataCoding = dataCodingOf(text, alphabet);
	const parts = split(text, dataCoding).parts;
	return {
		dataCoding,
		parts: parts.map((part) => encode(part, dataCoding, alphabet)),
	};
}

export function encodeWhole(text: string, alphabet: Alphabet): UserData {
	const dataCoding = dataCodingOf(text, alphabet);
	return { dataCoding, parts: [encode(text, dataCoding, alphabet)] };
}

export function concatenationHeader(
	reference: number,
	total: number,
	number: number,
): Buffer {
	return Buffer.from([5, 0, 3, reference, total, number]);
}

function split(text: string, dataCoding: DataCoding): SplitText {
	return dataCoding === 0 ? splitText(text) : splitUcs2(text);
}

function dataCodingOf(text: string, alphabet: Alphabet): DataCoding {
	if (countSeptets(text) === undefined) return 8;
	if (alphabet === "gsm") return 0;
	for (let i = 0; i < text.length; i++)
		if (text.charCodeAt(i) >= ALPHABET_END[alphabet]) return 8;
	return 0;
}

function encode(
	text: string,
	dataCoding: DataCoding,
	alphabet: Alphabet,
): Buffer {
	if (dataCoding === 8)
		return Buffer.from(text.toWellFormed(), "utf16le").swap16();
	return alphabet === "gsm" ? encodeGsm7(text) : Buffer.from(text, "latin1");
}
