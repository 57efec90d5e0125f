import type { PartPlace } from "./inbound-part.ts";

/** Information elements of concatenated texts (3GPP TS 23.040, 9.2.3.24.1 and 9.2.3.24.8). */
const CONCATENATED_8 = 0x00;
const CONCATENATED_16 = 0x08;

/**
 * Which part of a long text a user data header says it is, its length octet left out. Undefined where it says nothing,
 * or what cannot be: phones take such a text as a whole one (9.2.3.24.1). Of two elements the last counts (9.2.3.24).
 */
export function readPlace(header: Uint8Array): PartPlace | undefined {
	let place: PartPlace | undefined;
	for (let at = 0; at + 1 < header.length; ) {
		const [element = 0, length = 0] = header.subarray(at, at + 2);
		const value = header.subarray(at + 2, at + 2 + length);
		if (value.length < length) break;
		place = placeFrom(element, value) ?? place;
		at += 2 + length;
	}
	return place;
}

function placeFrom(element: number, value: Uint8Array): PartPlace | undefined {
	const [first = 0, second = 0, third = 0, fourth = 0] = value;
	if (element === CONCATENATED_8 && value.length === 3)
		return toPlace(8, first, second, third);
	if (element === CONCATENATED_16 && value.length === 4)
		return toPlace(16, first * 256 + second, third, fourth);
	return undefined;
}

/** Of a long text (3GPP TS 23.040, 9.2.3.24.1). */
const MAX_PARTS = 255;

/** Undefined for the only part, and for a part that the text cannot have. */
export function toPlace(
	referenceBits: 8 | 16,
	reference: number,
	total: number,
	number: number,
): PartPlace | undefined {
	const isPart =
		total > 1 && total <= MAX_PARTS && number >= 1 && number <= total;
	return isPart ? { referenceBits, reference, total, number } : undefined;
}
