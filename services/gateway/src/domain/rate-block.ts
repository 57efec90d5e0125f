/** Length of a rate window, seconds; windows begin at multiples of it since the epoch. */
export const WINDOW_S = 60;

/** Units that a gateway asks for first, when it knows nothing of a key's pace. */
export const FIRST_BLOCK = 8;
/** A block that is used up sooner than this is followed by one of twice the size, ms. */
const BUSY_BELOW_MS = 1_000;
/** A block that lasts longer than this is followed by one of half the size, ms. */
const QUIET_ABOVE_MS = 5_000;
/** No lease takes more than this part of what is left, so that other gateways find some too. */
const PART_OF_REMAINING = 8;

/** First second of the window that a time falls in. */
export function windowStartOf(nowMs: number): number {
	return Math.floor(nowMs / 1_000 / WINDOW_S) * WINDOW_S;
}

/**
 * How many units to ask for next: blocks grow with the pace of a key, and shrink to single units
 * as the window's allowance runs out.
 */
export function nextBlock(
	previous: number,
	lastedMs: number,
	remaining: number,
): number {
	let wanted = previous;
	if (lastedMs < BUSY_BELOW_MS) wanted = previous * 2;
	else if (lastedMs > QUIET_ABOVE_MS) wanted = Math.ceil(previous / 2);
	return cappedBlock(wanted, remaining);
}

/** `wanted`, at least {@link FIRST_BLOCK}, at most an eighth of what is left, never below 1. */
export function cappedBlock(wanted: number, remaining: number): number {
	const cap = Math.max(1, Math.ceil(remaining / PART_OF_REMAINING));
	return Math.min(Math.max(wanted, FIRST_BLOCK), cap);
}
