import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@airtower/platform/runtime/log";
import { createBatcher } from "@airtower/platform/work/micro-batcher";
import {
	judgeLocally,
	newWindow,
	nextBlock,
	type RateWindow,
	takeUnused,
	toVerdict,
	type Verdict,
	windowStart,
} from "../domain/rate-window.ts";
import type {
	Lease,
	LeaseRequest,
	WindowStore,
} from "../store/rate-windows.ts";
import type { Telemetry } from "../telemetry.ts";

/** Counts requests per key or organization against a limit that all gateways share. */
export interface RateLimiter {
	/** Takes one unit of the owner's window; returns a promise only when it has to wait for a lease. */
	take(ownerId: string, limit: number): Verdict | Promise<Verdict>;
	/** Gives back units that were not used for a while, and forgets owners that made no request for long. */
	tidy(): Promise<void>;
	close(): Promise<void>;
}

/** The units of a window that is unused for this long go back to the store, ms. */
const IDLE_MS = 5_000;
/** An owner's share is remembered for this long after its last request, ms. */
const FORGET_MS = 600_000;

/** Decides by units leased from the store; while it is down, by this gateway's last known share of the limit. */
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

/** Leases of units from the store, one at a time for each window. */
interface UnitLeases {
	/** Begins a lease, unless one is in flight, nothing is left, or the store failed a moment ago. */
	start(window: RateWindow): void;
	/** The lease in flight; undefined without one, and while the store is down. */
	awaited(window: RateWindow): Promise<void> | undefined;
	isLeasing(window: RateWindow): boolean;
	drain(): Promise<void>;
}

interface LimiterOptions {
	readonly store: WindowStore;
	/** The wall clock, by which windows begin and end. */
	readonly nowMs: () => number;
	/** A clock that is never set back: pauses and idle time are measured by it. */
	readonly monotonicMs: () => number;
	readonly log: Logger;
	readonly telemetry: Telemetry;
}

const MAX_LEASES_PER_CALL = 200;
const MAX_CALLS_IN_FLIGHT = 2;
/** A store that has not responded within this time counts as down, ms. */
const LEASE_TIMEOUT_MS = 500;
/** Pause between two tries while the store is down, ms. */
const STORE_RETRY_MS = 1_000;
/** Pause before an exhausted window is asked about again, ms: another gateway may have given units back. */
const EMPTY_RETRY_MS = 1_000;

function createUnitLeases(options: LimiterOptions): UnitLeases {
	const { monotonicMs, store, log, telemetry } = options;
	const inFlight = new Map<RateWindow, Promise<void>>();
	const batcher = createBatcher<LeaseRequest, Lease>({
		maxItems: MAX_LEASES_PER_CALL,
		maxInFlight: MAX_CALLS_IN_FLIGHT,
		flush: leaseInTime,
	});
	const windowByRequest = new WeakMap<LeaseRequest, RateWindow>();
	let isDown = false;
	let retryAtMs = 0;

	function start(window: RateWindow): void {
		const now = monotonicMs();
		if (inFlight.has(window) || now < window.emptyUntilMs) return;
		if (isDown && now < retryAtMs) return;
		const { ownerId, start, limit, leased, debt } = window;
		const before = window.block;
		window.block = nextBlock(before, limit - leased);
		const units = window.block + debt;
		telemetry.rateLeases.inc();
		const request = { ownerId, windowStart: start, units, limit };
		windowByRequest.set(request, window);
		const lease = batcher
			.add(request)
			.then(
				(lease) => apply(window, lease),
				(error: unknown) => {
					window.block = before;
					noteFailure(error);
				},
			)
			.finally(() => inFlight.delete(window));
		inFlight.set(window, lease);
	}

	/** Fails after the time-out. What the store grants later counts against the limit too, so it is used. */
	async function leaseInTime(requests: LeaseRequest[]): Promise<Lease[]> {
		const leasing = store.lease(requests);
		const inTime = await Promise.race([
			leasing,
			delay(LEASE_TIMEOUT_MS, undefined, { ref: false }),
		]);
		if (inTime !== undefined) return inTime;
		leasing.then(
			(leases) => {
				for (const [at, lease] of leases.entries())
					applyLate(requests[at], lease);
			},
			() => {},
		);
		throw new Error(`no response within ${LEASE_TIMEOUT_MS} ms`);
	}

	/** A lease that began after this one may already have reported a larger total. */
	function applyLate(
		request: LeaseRequest | undefined,
		{ granted, leased }: Lease,
	): void {
		const window = request && windowByRequest.get(request);
		if (window === undefined) return;
		apply(window, { granted, leased: Math.max(window.leased, leased) });
	}

	function apply(window: RateWindow, { granted, leased }: Lease): void {
		if (isDown) log.info("rate limit store is back");
		isDown = false;
		const paid = Math.min(window.debt, granted);
		window.debt -= paid;
		window.available += granted - paid;
		window.mine += granted;
		window.leased = leased;
		window.share = window.mine / Math.max(1, leased);
		if (granted === 0) window.emptyUntilMs = monotonicMs() + EMPTY_RETRY_MS;
	}

	function noteFailure(err: unknown): void {
		if (!isDown)
			log.warn({ err }, "rate limit store is down, deciding locally");
		isDown = true;
		retryAtMs = monotonicMs() + STORE_RETRY_MS;
	}

	return {
		start,
		awaited: (window) => (isDown ? undefined : inFlight.get(window)),
		isLeasing: (window) => inFlight.has(window),
		drain: batcher.drain,
	};
}
