import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@airtower/platform/runtime/log";
import { createBatcher } from "@airtower/platform/work/micro-batcher";
import {
	judgeLocally,
	newWindow,
	nextBlock,
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

const MAX_LEASES_PER_CALL = 200;
const MAX_CALLS_IN_FLIGHT = 2;
/** A store that has not responded by then counts as down, ms. */
const LEASE_TIMEOUT_MS = 500;
/** Pause between two tries while the store is down, ms. */
const STORE_RETRY_MS = 1_000;
/** An exhausted window is asked about again after this: another gateway may have given units back, ms. */
const EMPTY_RETRY_MS = 1_000;
/** Units unused for this long go back, ms. */
const IDLE_MS = 5_000;
/** A key's share is remembered for this long, ms. */
const FORGET_MS = 600_000;

/** Judges requests by leased units; while the store is down, by the key's last known share. */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
	const { nowMs, store, log, telemetry } = options;
	/** The latest window of each key. */
	const windows = new Map<string, RateWindow>();
	const leasing = new Map<RateWindow, Promise<void>>();
	const leases = createBatcher<LeaseRequest, Lease>({
		maxItems: MAX_LEASES_PER_CALL,
		maxInFlight: MAX_CALLS_IN_FLIGHT,
		flush: (requests) =>
			Promise.race([store.lease(requests), failAfter(LEASE_TIMEOUT_MS)]),
	});
	let isStoreDown = false;
	let retryAtMs = 0;

	function take(apiKeyId: string, limit: number): Verdict | Promise<Verdict> {
		const now = nowMs();
		const window = findWindow(apiKeyId, now);
		window.limit = limit;
		window.lastUsedMs = now;
		if (window.available > 0) {
			window.available--;
			if (window.available <= window.block / 4) startLease(window, now);
			return toVerdict(window, true);
		}
		if (now < window.emptyUntilMs) return toVerdict(window, false);
		startLease(window, now);
		const lease = leasing.get(window);
		if (!isStoreDown && lease !== undefined)
			return lease.then(() => take(apiKeyId, limit));
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

	function startLease(window: RateWindow, now: number): void {
		if (leasing.has(window) || now < window.emptyUntilMs) return;
		if (isStoreDown && now < retryAtMs) return;
		const { apiKeyId, start, limit, leased, debt } = window;
		window.block = nextBlock(window.block, limit - leased);
		const units = window.block + debt;
		telemetry.rateLeases.inc();
		const lease = leases
			.add({ apiKeyId, windowStart: start, units, limit })
			.then((granted) => applyLease(window, granted), noteFailure)
			.finally(() => leasing.delete(window));
		leasing.set(window, lease);
	}

	function applyLease(window: RateWindow, { granted, leased }: Lease): void {
		if (isStoreDown) log.info("rate limit store is back");
		isStoreDown = false;
		const paid = Math.min(window.debt, granted);
		window.debt -= paid;
		window.available += granted - paid;
		window.mine += granted;
		window.leased = leased;
		window.share = window.mine / Math.max(1, leased);
		if (granted === 0) window.emptyUntilMs = nowMs() + EMPTY_RETRY_MS;
	}

	function noteFailure(err: unknown): void {
		if (!isStoreDown)
			log.warn({ err }, "rate limit store is down, deciding locally");
		isStoreDown = true;
		retryAtMs = nowMs() + STORE_RETRY_MS;
	}

	/** Takes the units away before the store gets them, so that they cannot be used twice. */
	async function giveBack(idleMs: number): Promise<void> {
		const now = nowMs();
		const start = windowStart(now);
		const unused: WindowUnits[] = [];
		for (const window of windows.values()) {
			const { apiKeyId, available: units, lastUsedMs } = window;
			if (window.start !== start || units === 0) continue;
			if (leasing.has(window) || now - lastUsedMs < idleMs) continue;
			unused.push({ apiKeyId, windowStart: start, units });
			window.available = 0;
			window.mine -= units;
			window.leased -= units;
		}
		if (unused.length > 0) await store.giveBack(unused);
	}

	return {
		take,
		tidy: async () => {
			const now = nowMs();
			for (const [id, window] of windows)
				if (now - window.lastUsedMs > FORGET_MS) windows.delete(id);
			await giveBack(IDLE_MS);
		},
		close: async () => {
			await leases.drain();
			await giveBack(0);
		},
	};
}

async function failAfter(ms: number): Promise<never> {
	await delay(ms, undefined, { ref: false });
	throw new Error(`no response within ${ms} ms`);
}
