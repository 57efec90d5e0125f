import type { Logger } from "@airtower/platform/runtime/log";
import {
	judgeLocally,
	newWindow,
	type RateWindow,
	toVerdict,
	type Verdict,
	windowStart,
} from "../domain/rate-window.ts";
import type {
	Lease,
	LeaseRequest,
	WindowUnits,
} from "../store/rate-windows.ts";
import type { Telemetry } from "../telemetry.ts";
import { createUnitLeases } from "./unit-leases.ts";

/** Counts requests per key against a limit that all gateways share. */
export interface RateLimiter {
	/** Takes one unit of the key's window; at once unless a lease must be waited for. */
	take(apiKeyId: string, limit: number): Verdict | Promise<Verdict>;
	/** Gives back what keys have not used for a while, and forgets keys that are long unused. */
	tidy(): Promise<void>;
	/** Gives back everything unused. */
	close(): Promise<void>;
}

export interface RateLimiterOptions {
	readonly store: {
		lease(requests: LeaseRequest[]): Promise<Lease[]>;
		giveBack(unused: WindowUnits[]): Promise<void>;
	};
	readonly nowMs: () => number;
	readonly log: Logger;
	readonly telemetry: Telemetry;
}

/** Units unused for this long go back, ms. */
const IDLE_MS = 5_000;
/** A key's share is remembered for this long, ms. */
const FORGET_MS = 600_000;

/** Judges requests by leased units; while the store is down, by the key's last known share. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
	const { nowMs, store, log, telemetry } = options;
	/** The latest window of each key. */
	const windows = new Map<string, RateWindow>();
	const leases = createUnitLeases({
		lease: (requests) => store.lease(requests),
		...{ nowMs, log, telemetry },
	});

	function take(apiKeyId: string, limit: number): Verdict | Promise<Verdict> {
		const now = nowMs();
		const window = findWindow(apiKeyId, now);
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
		if (awaited !== undefined) return awaited.then(() => take(apiKeyId, limit));
		telemetry.rateLocalDecisions.inc();
		return judgeLocally(window);
	}

	function findWindow(apiKeyId: string, now: number): RateWindow {
		const known = windows.get(apiKeyId);
		const start = windowStart(now);
		if (known?.start === start) return known;
		const window = newWindow(apiKeyId, start, known?.share ?? 1);
		windows.set(apiKeyId, window);
		return window;
	}

	/** Takes the units away before the store gets them, so that they cannot be used twice. */
	async function giveBack(idleMs: number): Promise<void> {
		const now = nowMs();
		const start = windowStart(now);
		const unused: WindowUnits[] = [];
		for (const window of windows.values()) {
			const { apiKeyId, available: units, lastUsedMs } = window;
			if (window.start !== start || units === 0) continue;
			if (leases.isLeasing(window) || now - lastUsedMs < idleMs) continue;
			unused.push({ apiKeyId, windowStart: start, units });
			window.available = 0;
			window.mine -= units;
			window.leased -= units;
		}
		if (unused.length > 0) await store.giveBack(unused);
	}

	async function tidy(): Promise<void> {
		const now = nowMs();
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
