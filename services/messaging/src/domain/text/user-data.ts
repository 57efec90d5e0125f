import {
	countSeptets,
	encodeGsm7,
	PART_HEADER,
	splitText,
	splitUcs2,
} from "@airtower/proto/rules/segments";
import { transliterate } from "./transliteration.ts";

export type Alphabet = "gsm" | "latin1" | "ascii";

/** data_coding: 0 the operator's default alphabet, 8 UCS-2 (SMPP 3.4, 5.2.19). */
export type DataCoding = 0 | 8;

/** How a route carries texts. */
export interface TextRules {
	readonly alphabet: Alphabet;
	/** "ucs2": whatever the text. */
	readonly encoding: "auto" | "ucs2";
	/** Where the text is beyond the alphabet, and its plain form needs no more parts. */
	readonly transliterate: boolean;
	readonly referenceBits: ReferenceBits;
}

export type ReferenceBits = 8 | 16;

export interface UserData {
	readonly dataCoding: DataCoding;
	readonly parts: readonly Buffer[];
}

/** The phone gets GSM-7 or UCS-2 in the end, so that septets are what is counted in any alphabet. */
export function encodeParts(text: string, rules: TextRules): UserData {
	const { dataCoding, parts } = chooseCoding(text, rules);
	return {
		dataCoding,
		parts: parts.map((part) => encode(part, dataCoding, rules.alphabet)),
	};
}

export function encodeWhole(text: string, rules: TextRules): UserData {
	const { dataCoding, parts } = chooseCoding(text, rules);
	const octets = encode(parts.join(""), dataCoding, rules.alphabet);
	return { dataCoding, parts: [octets] };
}

/** The user data header of one part; the reference has 8 bits or 16 (3GPP TS 23.040, 9.2.3.24.1 and 9.2.3.24.8). */
export function concatenationHeader(
	bits: ReferenceBits,
	reference: number,
	total: number,
	number: number,
): Buffer {
	return bits === 8
		? Buffer.from([5, 0, 3, reference, total, number])
		: Buffer.from([6, 8, 4, reference >> 8, reference & 0xff, total, number]);
}

interface CodedText {
	readonly dataCoding: DataCoding;
	readonly parts: readonly string[];
}

function chooseCoding(text: string, rules: TextRules): CodedText {
	const header = PART_HEADER[rules.referenceBits];
	const asUcs2 = () => split(text, 8, header);
	if (rules.encoding === "ucs2") return asUcs2();
	if (dataCodingOf(text, rules.alphabet) === 0) return split(text, 0, header);
	const plain = rules.transliterate ? transliterate(text) : undefined;
	if (plain === undefined || dataCodingOf(plain, rules.alphabet) !== 0)
		return asUcs2();
	const [short, long] = [split(plain, 0, header), asUcs2()];
	return short.parts.length <= long.parts.length ? short : long;
}

function split(
	text: string,
	dataCoding: DataCoding,
	headerOctets: number,
): CodedText {
	const { parts } =
		dataCoding === 0
			? splitText(text, headerOctets)
			: splitUcs2(text, headerOctets);
	return { dataCoding, parts };
}

const ALPHABET_END = { latin1: 0x100, ascii: 0x80 } as const;

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
