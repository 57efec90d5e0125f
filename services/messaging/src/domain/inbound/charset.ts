import { decodeGsm7 } from "@airtower/proto/rules/segments";
import type { Alphabet } from "../text/user-data.ts";

export const charsets = [
	"gsm7",
	"latin1",
	"iso-8859-5",
	"iso-8859-8",
	"ucs2",
	"binary",
] as const;
export type Charset = (typeof charsets)[number];

/** data_coding of SMPP 3.4, 5.2.19; 0 is the alphabet of the operator. IA5 is read as Latin-1, which begins with it. */
const SMPP_CODINGS: ReadonlyMap<number, Charset> = new Map([
	[1, "latin1"],
	[2, "binary"],
	[3, "latin1"],
	[4, "binary"],
	[6, "iso-8859-5"],
	[7, "iso-8859-8"],
	[8, "ucs2"],
]);
const FIRST_OF_GSM = 0x10;

/** What is in no charset that we read stays as octets. */
export function charsetOf(dataCoding: number, alphabet: Alphabet): Charset {
	const own = alphabet === "gsm" ? "gsm7" : "latin1";
	if (dataCoding === 0) return own;
	if (dataCoding < FIRST_OF_GSM)
		return SMPP_CODINGS.get(dataCoding) ?? "binary";
	return gsmCharset(dataCoding, own);
}

/** Of a data coding scheme that operators pass on as the phone wrote it (3GPP TS 23.038, 4). */
function gsmCharset(scheme: number, own: Charset): Charset {
	const group = scheme >> 4;
	if (group === 0xf) return scheme & 0x04 ? "binary" : own;
	if (group === 0xe) return "ucs2";
	if (group === 0xc || group === 0xd) return own;
	const isGeneral = group < 0x8;
	const isCompressed = (scheme & 0x20) !== 0;
	if (!isGeneral || isCompressed) return "binary";
	const alphabet = (scheme >> 2) & 0x03;
	return ([own, "binary", "ucs2", "binary"] as const)[alphabet] ?? "binary";
}

/** The text of octets in a charset; of "binary" base64. What no text of the database can hold is U+FFFD. */
export function decode(octets: Buffer, charset: Charset): string {
	return charset === "binary"
		? octets.toString("base64")
		: decodeText(octets, charset).replaceAll("\0", "\u{FFFD}").toWellFormed();
}

function decodeText(
	octets: Buffer,
	charset: Exclude<Charset, "binary">,
): string {
	switch (charset) {
		case "gsm7":
			return decodeGsm7(octets);
		case "latin1":
			return octets.toString("latin1");
		case "ucs2":
			return decodeUcs2(octets);
		default:
			return new TextDecoder(charset).decode(octets);
	}
}

/** Big endian, as SMPP has it; an odd octet at the end is left out. */
export function decodeUcs2(octets: Buffer): string {
	const even = octets.subarray(0, octets.length & ~1);
	return Buffer.from(even).swap16().toString("utf16le");
}
