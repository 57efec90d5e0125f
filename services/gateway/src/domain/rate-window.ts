/** Length of a rate window, seconds; windows begin at multiples of it since the epoch. */
export const WINDOW_S = 60;
/** Units of a window's first lease; each further one is twice as large. */
const FIRST_BLOCK = 8;
/** No lease takes more than this part of what is left, so that other gateways find some too. */
const PART_OF_REMAINING = 8;

export interface Verdict {
	readonly allowed: boolean;
	readonly limit: number;
	readonly remaining: number;
	/** When the window ends, seconds since the epoch. */
	readonly resetAt: number;
}

/** What one gateway knows of one window of one key. */
export interface RateWindow {
	readonly ownerId: string;
	/** First second since the epoch. */
	readonly start: number;
	limit: number;
	/** Leased units not used yet. */
	available: number;
	/** Units leased by all gateways, as of the latest lease. */
	leased: number;
	/** Units leased by this gateway. */
	mine: number;
	/** Requests let through without a lease while the store was down. */
	debt: number;
	/** Units of the latest lease. */
	block: number;
	/** By the monotonic clock, as the next one. */
	lastUsedMs: number;
	/** Nothing was left at the latest lease: do not ask again before this. */
	emptyUntilMs: number;
	/** This gateway's part of all leases, from the latest window that is known. */
	share: number;
}

/** A window that no units are leased of; `share` is that of the window before. */
export function newWindow(
	ownerId: string,
	start: number,
	share: number,
): RateWindow {
	return {
		ownerId,
		start,
		share,
		limit: 0,
		available: 0,
		leased: 0,
		mine: 0,
		debt: 0,
		block: 0,
		lastUsedMs: 0,
		emptyUntilMs: 0,
	};
}

/** First second of the window that a time falls in. */
export function windowStart(nowMs: number): number {
	return Math.floor(nowMs / 1_000 / WINDOW_S) * WINDOW_S;
}

/** Units to ask for next, at least 1: blocks grow, and shrink to single units as the allowance runs out. */
export function nextBlock(previous: number, remaining: number): number {
	const cap = Math.max(1, Math.ceil(remaining / PART_OF_REMAINING));
	return Math.min(Math.max(previous * 2, FIRST_BLOCK), cap);
}

/** The judgement of one request, with what is left as far as this gateway knows. */
export function toVerdict(window: RateWindow, allowed: boolean): Verdict {
	const { limit, leased, available } = window;
	return {
		allowed,
		limit,
		remaining: Math.max(0, limit - leased) + available,
		resetAt: window.start + WINDOW_S,
	};
}

/** The verdict that matters of a key's and its organization's: a refusal, or else the one with less left. */
export function tighter(own: Verdict, all: Verdict): Verdict {
	return all.allowed && own.remaining <= all.remaining ? own : all;
}

/** Takes the window's unused units away and returns how many there were. */
export function takeUnused(window: RateWindow): number {
	const { available } = window;
	window.available = 0;
	window.mine -= available;
	window.leased -= available;
	return available;
}

/** The verdict without the store: this gateway lets its share of the limit pass, at least one request, and owes it. */
export function judgeLocally(window: RateWindow): Verdict {
	const allowance = Math.max(1, Math.floor(window.limit * window.share));
	const used = window.mine - window.available + window.debt;
	const allowed = used < allowance;
	if (allowed) window.debt++;
	const remaining = Math.max(0, allowance - used - 1);
	return { ...toVerdict(window, allowed), remaining };
}
