type SegmentEncoding = "gsm7" | "ucs2";

interface SegmentCount {
	readonly encoding: SegmentEncoding;
	readonly segments: number;
	/** Septets of GSM-7, or UTF-16 units of UCS-2. */
	readonly units: number;
}

interface SplitText {
	readonly encoding: SegmentEncoding;
	readonly parts: readonly string[];
}

/** Octets of one short message (3GPP TS 23.040, 9.2.3.16). */
const MESSAGE_OCTETS = 140;
/** Bits of a septet of GSM-7, and of a UTF-16 unit of UCS-2. */
const BITS = { gsm7: 7, ucs2: 16 } as const;
/** Octets of the user data header of one of several parts: the reference has 8 bits (9.2.3.24.1) or 16 (9.2.3.24.8). */
export const PART_HEADER = { 8: 6, 16: 7 } as const;

/** Units that fit beside a header of so many octets: 160 or 70 without one, 153 or 67, and 152 or 66. */
function unitsBeside(headerOctets: number, encoding: SegmentEncoding): number {
	const bits = (MESSAGE_OCTETS - headerOctets) * 8;
	return Math.floor(bits / BITS[encoding]);
}

export function countSegments(text: string): SegmentCount {
	const septets = countSeptets(text);
	const encoding = septets === undefined ? "ucs2" : "gsm7";
	const units = septets ?? text.length;
	return {
		encoding,
		units,
		segments: partBounds(text, encoding, units, PART_HEADER[8]).length + 1,
	};
}

/**
 * Parts are never cut within an escape pair or a surrogate pair.
 * @param headerOctets of each of several parts
 */
export function splitText(
	text: string,
	headerOctets: number = PART_HEADER[8],
): SplitText {
	const septets = countSeptets(text);
	if (septets === undefined) return splitUcs2(text, headerOctets);
	const parts = splitAs(text, "gsm7", septets, headerOctets);
	return { encoding: "gsm7", parts };
}

export function splitUcs2(
	text: string,
	headerOctets: number = PART_HEADER[8],
): SplitText {
	const parts = splitAs(text, "ucs2", text.length, headerOctets);
	return { encoding: "ucs2", parts };
}

function splitAs(
	text: string,
	encoding: SegmentEncoding,
	units: number,
	headerOctets: number,
): string[] {
	const inner = partBounds(text, encoding, units, headerOctets);
	const bounds = [0, ...inner, text.length];
	return bounds.slice(1).map((end, i) => text.slice(bounds[i], end));
}

function partBounds(
	text: string,
	encoding: SegmentEncoding,
	units: number,
	headerOctets: number,
): number[] {
	if (units <= unitsBeside(0, encoding)) return [];
	const part = unitsBeside(headerOctets, encoding);
	const found: number[] = [];
	let used = 0;
	for (let i = 0; i < text.length; ) {
		const { size, width } = characterAt(text, i, encoding);
		if (used + size > part) {
			found.push(i);
			used = 0;
		}
		used += size;
		i += width;
	}
	return found;
}

function characterAt(text: string, i: number, encoding: SegmentEncoding) {
	if (encoding === "gsm7")
		return { size: septetsOf(text.charCodeAt(i)), width: 1 };
	const width = (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1;
	return { size: width, width };
}

/** GSM 03.38 (3GPP TS 23.038, 6.2.1); the index is the septet. */
const BASIC =
	"@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001BÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
	"¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

const EXTENSION: Readonly<Record<string, number>> = {
	"\f": 0x0a,
	"^": 0x14,
	"{": 0x28,
	"}": 0x29,
	"\\": 0x2f,
	"[": 0x3c,
	"~": 0x3d,
	"]": 0x3e,
	"|": 0x40,
	"€": 0x65,
};

const ESCAPE = 0x1b;
const ABSENT = 0xffff;
const EXTENDED = 0x100;

const CODES = new Uint16Array(0x20ad).fill(ABSENT);
for (const [septet, character] of [...BASIC].entries())
	if (septet !== ESCAPE) CODES[character.charCodeAt(0)] = septet;
for (const [character, septet] of Object.entries(EXTENSION))
	CODES[character.charCodeAt(0)] = EXTENDED + septet;

function septetsOf(unit: number): 0 | 1 | 2 {
	const code = CODES[unit] ?? ABSENT;
	if (code === ABSENT) return 0;
	return code >= EXTENDED ? 2 : 1;
}

export function countSeptets(text: string): number | undefined {
	let total = 0;
	for (let i = 0; i < text.length; i++) {
		const septets = septetsOf(text.charCodeAt(i));
		if (septets === 0) return undefined;
		total += septets;
	}
	return total;
}

/** One septet per octet, as SMPP carries it. Throws RangeError on a character outside GSM-7. */
export function encodeGsm7(text: string): Buffer {
	const octets = Buffer.allocUnsafe(text.length * 2);
	let length = 0;
	for (let i = 0; i < text.length; i++) {
		const code = CODES[text.charCodeAt(i)] ?? ABSENT;
		if (code === ABSENT)
			throw new RangeError("The text has a character outside GSM-7.");
		if (code >= EXTENDED) octets[length++] = ESCAPE;
		octets[length++] = code & 0x7f;
	}
	return octets.subarray(0, length);
}

const BY_EXTENSION: ReadonlyMap<number, string> = new Map(
	Object.entries(EXTENSION).map(([character, septet]) => [septet, character]),
);

/**
 * Of one septet per octet. After an escape, what the extension table does not have is the character of the basic table
 * (3GPP TS 23.038, 6.2.1.1), and a further escape is a space. An octet above 127, which no septet is, is read as
 * Latin-1.
 */
export function decodeGsm7(octets: Uint8Array): string {
	let text = "";
	let isEscaped = false;
	for (const octet of octets) {
		if (octet === ESCAPE) {
			if (isEscaped) text += " ";
			isEscaped = !isEscaped;
			continue;
		}
		const basic = BASIC[octet] ?? String.fromCharCode(octet);
		text += isEscaped ? (BY_EXTENSION.get(octet) ?? basic) : basic;
		isEscaped = false;
	}
	return text;
}
