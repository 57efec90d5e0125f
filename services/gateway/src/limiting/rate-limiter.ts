import type { Logger } from "@airtower/platform/runtime/log";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import { createBatcher } from "@airtower/platform/work/micro-batcher";
import {
	type KeyWindow,
	newWindow,
	rollOver,
	type Verdict,
	verdictOf,
} from "../domain/key-window.ts";
import { cappedBlock, nextBlock, windowStartOf } from "../domain/rate-block.ts";
import type {
	Lease,
	LeaseRequest,
	WindowUnits,
} from "../store/rate-windows.ts";

/** Counts requests per key against a limit that all gateways share. */
export interface RateLimiter {
	/** Takes one unit of the key's window; at once unless a lease must be waited for. */
	take(apiKeyId: string, limit: number): Verdict | Promise<Verdict>;
	/** Gives back what keys have not used for a while, and forgets keys that have gone quiet. */
	tidy(): Promise<void>;
	/** Gives back everything unused. */
	close(): Promise<void>;
}

export interface RateStore {
	lease(requests: LeaseRequest[]): Promise<Lease[]>;
	giveBack(unused: WindowUnits[]): Promise<void>;
}

export interface RateLimiterOptions {
	readonly store: RateStore;
	readonly nowMs: () => number;
	readonly log: Logger;
	readonly metrics: Metrics;
}

const MAX_LEASES_PER_CALL = 200;
/** A store that has not answered by then counts as down, ms. */
const LEASE_TIMEOUT_MS = 500;
/** Pause between two tries while the store is down, ms. */
const STORE_RETRY_MS = 1_000;
/** An exhausted window is asked about again after this: another gateway may have given units back, ms. */
const EMPTY_RETRY_MS = 1_000;
/** Units unused for this long go back, ms. */
const IDLE_MS = 5_000;
/** A key's pace and share are remembered for this long, ms. */
const FORGET_MS = 600_000;

export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
	const { nowMs, store, log } = options;
	const windows = new Map<string, KeyWindow>();
	const leaseCount = options.metrics.counter(
		"gateway_rate_leases_total",
		"Blocks of rate limit units asked for.",
	);
	const localCount = options.metrics.counter(
		"gateway_rate_local_decisions_total",
		"Requests judged by the last known share because the store was down.",
	);
	const leases = createBatcher<LeaseRequest, Lease>({
		maxItems: MAX_LEASES_PER_CALL,
		maxInFlight: 2,
		flush: (requests) => withTimeout(store.lease(requests), LEASE_TIMEOUT_MS),
	});
	let storeDown = false;
	let retryAtMs = 0;

	function take(apiKeyId: string, limit: number): Verdict | Promise<Verdict> {
		const now = nowMs();
		const window = currentWindow(apiKeyId, limit, now);
		if (window.available > 0) return takeLeased(window, now);
		if (now < window.emptyUntilMs) return verdictOf(window, false);
		startLease(window, now);
		if (storeDown || window.lease === undefined) return decideLocally(window);
		return window.lease.then(() => take(apiKeyId, limit));
	}

	function currentWindow(id: string, limit: number, now: number): KeyWindow {
		let window = windows.get(id);
		if (window === undefined) {
			window = newWindow(id);
			windows.set(id, window);
		}
		const start = windowStartOf(now);
		if (window.windowStart !== start) rollOver(window, start);
		window.limit = limit;
		window.lastUsedMs = now;
		return window;
	}

	function takeLeased(window: KeyWindow, now: number): Verdict {
		window.available--;
		window.used++;
		if (window.available <= window.block / 4 && now >= window.emptyUntilMs)
			startLease(window, now);
		return verdictOf(window, true);
	}

	function decideLocally(window: KeyWindow): Verdict {
		localCount.inc();
		const allowance = Math.max(1, Math.floor(window.limit * window.share));
		const allowed = window.used < allowance;
		if (allowed) {
			window.used++;
			window.debt++;
		}
		const remaining = Math.max(0, allowance - window.used);
		return { ...verdictOf(window, allowed), remaining };
	}

	function startLease(window: KeyWindow, now: number): void {
		if (window.lease !== undefined || (storeDown && now < retryAtMs)) return;
		const remaining = window.limit - window.leased;
		window.block =
			window.leasedAtMs === 0
				? cappedBlock(window.block, remaining)
				: nextBlock(window.block, now - window.leasedAtMs, remaining);
		const request = {
			apiKeyId: window.apiKeyId,
			windowStart: window.windowStart,
			units: window.block + window.debt,
			limit: window.limit,
		};
		leaseCount.inc();
		window.lease = leases
			.add(request)
			.then((lease) => applyLease(window, request, lease), storeFailed)
			.then(() => {
				window.lease = undefined;
			});
	}

	function applyLease(
		window: KeyWindow,
		request: LeaseRequest,
		lease: Lease,
	): void {
		if (storeDown) log.info("rate limit store is back");
		storeDown = false;
		if (window.windowStart !== request.windowStart) return;
		const paid = Math.min(window.debt, lease.granted);
		window.debt -= paid;
		window.available += lease.granted - paid;
		window.mine += lease.granted;
		window.leased = lease.leased;
		window.share = window.mine / Math.max(1, lease.leased);
		window.leasedAtMs = nowMs();
		if (lease.granted === 0) window.emptyUntilMs = nowMs() + EMPTY_RETRY_MS;
	}

	function storeFailed(error: unknown): void {
		if (!storeDown)
			log.warn({ err: error }, "rate limit store is down, deciding locally");
		storeDown = true;
		retryAtMs = nowMs() + STORE_RETRY_MS;
	}

	/** Takes the units away before the store hears of them, so that they cannot be used twice. */
	async function giveBack(isIdle: (window: KeyWindow) => boolean) {
		const start = windowStartOf(nowMs());
		const unused: WindowUnits[] = [];
		for (const window of windows.values()) {
			if (window.windowStart !== start || window.available === 0) continue;
			if (window.lease !== undefined || !isIdle(window)) continue;
			const { apiKeyId, windowStart, available: units } = window;
			unused.push({ apiKeyId, windowStart, units });
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
			await giveBack((window) => now - window.lastUsedMs > IDLE_MS);
		},
		close: async () => {
			await leases.drain();
			await giveBack(() => true);
		},
	};
}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_resolve, reject) => {
		timer = setTimeout(
			() => reject(new Error(`no answer within ${ms} ms`)),
			ms,
		);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
