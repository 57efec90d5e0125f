type SegmentEncoding = "gsm7" | "ucs2";

interface SegmentCount {
	readonly encoding: SegmentEncoding;
	readonly segments: number;
	/** Septets of GSM-7, or UTF-16 units of UCS-2. */
	readonly units: number;
}

export interface SplitText {
	readonly encoding: SegmentEncoding;
	readonly parts: readonly string[];
}

/** Units that fit into a message of one part, and into one part of several (3GPP TS 23.040, 9.2.3.24.1). */
const LIMITS = {
	gsm7: { single: 160, part: 153 },
	ucs2: { single: 70, part: 67 },
} as const;

export function countSegments(text: string): SegmentCount {
	const septets = countSeptets(text);
	const encoding = septets === undefined ? "ucs2" : "gsm7";
	const units = septets ?? text.length;
	return {
		encoding,
		units,
		segments: partBounds(text, encoding, units).length + 1,
	};
}

/** Parts are never cut within an escape pair or a surrogate pair. */
export function splitText(text: string): SplitText {
	const septets = countSeptets(text);
	const encoding = septets === undefined ? "ucs2" : "gsm7";
	return { encoding, parts: splitAs(text, encoding, septets ?? text.length) };
}

export function splitUcs2(text: string): SplitText {
	return { encoding: "ucs2", parts: splitAs(text, "ucs2", text.length) };
}

function splitAs(
	text: string,
	encoding: SegmentEncoding,
	units: number,
): string[] {
	const bounds = [0, ...partBounds(text, encoding, units), text.length];
	return bounds.slice(1).map((end, i) => text.slice(bounds[i], end));
}

function partBounds(
	text: string,
	encoding: SegmentEncoding,
	units: number,
): number[] {
	const { single, part } = LIMITS[encoding];
	if (units <= single) return [];
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
