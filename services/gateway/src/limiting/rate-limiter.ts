import {
	judgeLocally,
	newWindow,
	type RateWindow,
	takeUnused,
	toVerdict,
	type Verdict,
	windowStart,
} from "../domain/rate-window.ts";
import { createUnitLeases, type LimiterOptions } from "./unit-leases.ts";

/** Counts requests per key or organization against a limit that all gateways share. */
export interface RateLimiter {
	/** Takes one unit of the owner's window; at once unless a lease must be waited for. */
	take(ownerId: string, limit: number): Verdict | Promise<Verdict>;
	/** Gives back what keys have not used for a while, and forgets keys that are long unused. */
	tidy(): Promise<void>;
	close(): Promise<void>;
}

/** Units unused for this long go back, ms. */
const IDLE_MS = 5_000;
/** A key's share is remembered for this long, ms. */
const FORGET_MS = 600_000;

/** Judges requests by leased units; while the store is down, by the key's last known share. */
export function createRateLimiter(options: LimiterOptions): RateLimiter {
	const { nowMs, monotonicMs, store, telemetry } = options;
	const windows = new Map<string, RateWindow>();
	const leases = createUnitLeases(options);

	function take(ownerId: string, limit: number): Verdict | Promise<Verdict> {
		const now = monotonicMs();
		const window = findWindow(ownerId);
		window.limit = limit;
		window.lastUsedMs = now;
		if (window.available > 0) {
			window.available--;
			if (window.available <= window.block / 4) leases.start(window);
			return toVerdict(window, true);
		}
		if (now < window.emptyUntilMs) return toVerdict(window, false);
		leases.start(window);
		const awaited = leases.awaited(window);
		if (awaited !== undefined) return awaited.then(() => take(ownerId, limit));
		telemetry.rateLocalDecisions.inc();
		return judgeLocally(window);
	}

	function findWindow(ownerId: string): RateWindow {
		const known = windows.get(ownerId);
		const start = windowStart(nowMs());
		if (known?.start === start) return known;
		const window = newWindow(ownerId, start, known?.share ?? 1);
		windows.set(ownerId, window);
		return window;
	}

	/** Takes the units away before the store gets them, so that they cannot be used twice. */
	async function giveBack(idleMs: number): Promise<void> {
		const now = monotonicMs();
		const start = windowStart(nowMs());
		const isIdle = (window: RateWindow) =>
			window.start === start &&
			window.available > 0 &&
			now - window.lastUsedMs >= idleMs &&
			!leases.isLeasing(window);
		const unused = [...windows.values()].filter(isIdle).map((window) => ({
			ownerId: window.ownerId,
			windowStart: start,
			units: takeUnused(window),
		}));
		if (unused.length > 0) await store.giveBack(unused);
	}

	async function tidy(): Promise<void> {
		const now = monotonicMs();
		for (const [id, window] of windows)
			if (now - window.lastUsedMs > FORGET_MS) windows.delete(id);
		await giveBack(IDLE_MS);
	}

	async function close(): Promise<void> {
		await leases.drain();
		await giveBack(0);
	}

	return { take, tidy, close };
}
