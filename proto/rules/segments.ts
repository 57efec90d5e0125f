import { countSeptets, septetsOf } from "./gsm7.ts";

export type SegmentEncoding = "gsm7" | "ucs2";

export interface SegmentCount {
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
