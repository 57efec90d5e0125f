import { type Charset, decode } from "./charset.ts";
import type { InboundEncoding } from "./inbound-text.ts";

interface Numbered {
	/** From 1. */
	readonly number: number;
}

/** What a text of one reference has, by the numbers of its parts. */
export type PartSet<Part> = ReadonlyMap<number, Part>;

/**
 * Puts parts with the same phone, number, reference and total into texts; in the order in which they came. Phones use
 * references again: a part that the text has is of another one, and what comes after it is of the one that began last.
 */
export function toPartSets<Part extends Numbered>(
	parts: readonly Part[],
): PartSet<Part>[] {
	const sets: Map<number, Part>[] = [];
	for (const part of parts) {
		let set = sets.findLast((one) => !one.has(part.number));
		if (set === undefined) {
			set = new Map();
			sets.push(set);
		}
		set.set(part.number, part);
	}
	return sets;
}

interface CodedPart {
	readonly charset: Charset;
	readonly octets: Buffer;
}

interface JoinedText {
	readonly body: string;
	readonly encoding: InboundEncoding;
}

/** Stands for parts that are missing. */
const GAP = "[…]";

/** Whether its first part is missing: what comes first in it is no first word then. */
export function lacksBeginning({
	body,
	isComplete,
}: {
	readonly body: string;
	readonly isComplete: boolean;
}): boolean {
	return !isComplete && body.startsWith(GAP);
}

/** Octets are joined before they are read: a character may begin in one part and end in the next. */
export function joinParts(set: PartSet<CodedPart>, total: number): JoinedText {
	const parts = [...set].sort(([a], [b]) => a - b).map(([, part]) => part);
	const charsets = new Set(parts.map(({ charset }) => charset));
	if (charsets.has("binary")) {
		const octets = Buffer.concat(parts.map((part) => part.octets));
		return { body: decode(octets, "binary"), encoding: "binary" };
	}
	let body = "";
	for (let number = 1; number <= total; ) {
		const run = runFrom(set, number);
		const [first] = run;
		if (first !== undefined) {
			const octets = Buffer.concat(run.map((part) => part.octets));
			body += decode(octets, first.charset);
		} else if (!body.endsWith(GAP)) body += GAP;
		number += Math.max(1, run.length);
	}
	return { body, encoding: encodingOf(charsets) };
}

/** The parts of one charset from a number on, without a gap. */
function runFrom(set: PartSet<CodedPart>, number: number): CodedPart[] {
	const run: CodedPart[] = [];
	for (let part = set.get(number); part !== undefined; ) {
		if (run[0] !== undefined && run[0].charset !== part.charset) break;
		run.push(part);
		part = set.get(number + run.length);
	}
	return run;
}

function encodingOf(charsets: ReadonlySet<Charset>): InboundEncoding {
	const isOfSeptets = (charset: Charset) =>
		charset === "gsm7" || charset === "latin1";
	return [...charsets].every(isOfSeptets) ? "gsm7" : "ucs2";
}
