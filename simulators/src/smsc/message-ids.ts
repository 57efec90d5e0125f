import type { IdStyle } from "./settings.ts";

/** Low bits that count; the high bits are the start time, so that a restarted simulator repeats no id. */
const COUNTER_BITS = 22n;
const HEX_DIGITS = 16;
const PADDED_DIGITS = 24;

export function messageNumbers(now = Date.now()): () => bigint {
	let last = BigInt(now) << COUNTER_BITS;
	return () => ++last;
}

export function toMessageId(number: bigint, style: IdStyle): string {
	if (style === "dec") return number.toString();
	if (style === "padded") return number.toString().padStart(PADDED_DIGITS, "0");
	const hex = number.toString(16).padStart(HEX_DIGITS, "0");
	if (style === "text") return `msg-${hex}.A`;
	return style === "HEX" ? hex.toUpperCase() : hex;
}
