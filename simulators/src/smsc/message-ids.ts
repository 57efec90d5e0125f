import type { IdStyle } from "./settings.ts";

/** Low bits that count; the high bits are the start time, so that a restarted simulator repeats no id. */
const COUNTER_BITS = 20n;
/** Unit of the start time, ms: no restart is faster. */
const TICK_MS = 10;
/**
 * A digit between the two that no decimal id has: otherwise one start in twenty has only ids that may be read as both.
 */
const LETTER = 0xan << COUNTER_BITS;
const HEX_DIGITS = 16;
const PADDED_DIGITS = 24;

/** Counts on from a number. */
export function messageNumbers(last = numberAt(Date.now())): () => bigint {
	return () => ++last;
}

function numberAt(now: number): bigint {
	const ticks = BigInt(Math.floor(now / TICK_MS));
	return (ticks << (COUNTER_BITS + 4n)) | LETTER;
}

export function toMessageId(number: bigint, style: IdStyle): string {
	if (style === "dec") return number.toString();
	if (style === "padded") return number.toString().padStart(PADDED_DIGITS, "0");
	const hex = number.toString(16).padStart(HEX_DIGITS, "0");
	if (style === "text") return `msg-${hex}.A`;
	return style === "HEX" ? hex.toUpperCase() : hex;
}
