import { FIRST_BLOCK, WINDOW_S } from "./rate-block.ts";

export interface Verdict {
	readonly allowed: boolean;
	readonly limit: number;
	readonly remaining: number;
	/** When the window ends, seconds since the epoch. */
	readonly resetAt: number;
}

/** What one gateway knows of one key's present window. */
export interface KeyWindow {
	readonly apiKeyId: string;
	limit: number;
	windowStart: number;
	/** Leased units not used yet. */
	available: number;
	/** Units leased by all gateways, as of the latest lease. */
	leased: number;
	/** Units leased by this gateway. */
	mine: number;
	/** Requests let through in this window. */
	used: number;
	/** Requests let through without a lease while the store was down. */
	debt: number;
	block: number;
	leasedAtMs: number;
	lastUsedMs: number;
	/** Nothing was left at the latest lease: do not ask again before this. */
	emptyUntilMs: number;
	/** This gateway's part of all leases, from the latest window that is known. */
	share: number;
	lease: Promise<void> | undefined;
}

/** The state of a key that was never seen. */
export function newWindow(apiKeyId: string): KeyWindow {
	return {
		apiKeyId,
		limit: 0,
		windowStart: 0,
		available: 0,
		leased: 0,
		mine: 0,
		used: 0,
		debt: 0,
		block: FIRST_BLOCK,
		leasedAtMs: 0,
		lastUsedMs: 0,
		emptyUntilMs: 0,
		share: 1,
		lease: undefined,
	};
}

/** Begins another window; pace and share are kept. */
export function rollOver(window: KeyWindow, start: number): void {
	window.windowStart = start;
	window.available = 0;
	window.leased = 0;
	window.mine = 0;
	window.used = 0;
	window.debt = 0;
	window.leasedAtMs = 0;
	window.emptyUntilMs = 0;
}

/** The judgement of one request, with what is left as far as this gateway knows. */
export function verdictOf(window: KeyWindow, allowed: boolean): Verdict {
	return {
		allowed,
		limit: window.limit,
		remaining:
			Math.max(0, window.limit - window.leased) + Math.max(0, window.available),
		resetAt: window.windowStart + WINDOW_S,
	};
}
