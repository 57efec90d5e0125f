import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@airtower/platform/runtime/log";
import { createBatcher } from "@airtower/platform/work/micro-batcher";
import { nextBlock, type RateWindow } from "../domain/rate-window.ts";
import type {
	Lease,
	LeaseRequest,
	WindowUnits,
} from "../store/rate-windows.ts";
import type { Telemetry } from "../telemetry.ts";

/** Leases of units from the store, one at a time for each window. */
export interface UnitLeases {
	/** Begins a lease, unless one is in flight, nothing is left, or the store failed a moment ago. */
	start(window: RateWindow): void;
	/** The lease in flight; undefined without one, and while the store is down. */
	awaited(window: RateWindow): Promise<void> | undefined;
	isLeasing(window: RateWindow): boolean;
	drain(): Promise<void>;
}

export interface LimiterOptions {
	readonly store: {
		lease(requests: LeaseRequest[]): Promise<Lease[]>;
		giveBack(unused: WindowUnits[]): Promise<void>;
	};
	/** The wall clock, by which windows begin and end. */
	readonly nowMs: () => number;
	/** Never set back: pauses and idle time are measured by it. */
	readonly monotonicMs: () => number;
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

export function createUnitLeases(options: LimiterOptions): UnitLeases {
	const { monotonicMs, store, log, telemetry } = options;
	const inFlight = new Map<RateWindow, Promise<void>>();
	const batcher = createBatcher<LeaseRequest, Lease>({
		maxItems: MAX_LEASES_PER_CALL,
		maxInFlight: MAX_CALLS_IN_FLIGHT,
		flush: leaseInTime,
	});
	const asked = new WeakMap<LeaseRequest, RateWindow>();
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
		asked.set(request, window);
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

	/** What the store grants later than that is taken from the window all the same: it is used once it is known. */
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

	/** A later lease may have told of more. */
	function applyLate(
		request: LeaseRequest | undefined,
		{ granted, leased }: Lease,
	): void {
		const window = request && asked.get(request);
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
