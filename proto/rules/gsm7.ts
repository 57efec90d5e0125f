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

export function septetsOf(unit: number): 0 | 1 | 2 {
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
