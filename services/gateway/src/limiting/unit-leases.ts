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
		flush: (requests) =>
			Promise.race([store.lease(requests), failAfter(LEASE_TIMEOUT_MS)]),
	});
	let isDown = false;
	let retryAtMs = 0;

	function start(window: RateWindow): void {
		const now = monotonicMs();
		if (inFlight.has(window) || now < window.emptyUntilMs) return;
		if (isDown && now < retryAtMs) return;
		const { ownerId, start, limit, leased, debt } = window;
		window.block = nextBlock(window.block, limit - leased);
		const units = window.block + debt;
		telemetry.rateLeases.inc();
		const lease = batcher
			.add({ ownerId, windowStart: start, units, limit })
			.then((lease) => apply(window, lease), noteFailure)
			.finally(() => inFlight.delete(window));
		inFlight.set(window, lease);
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

async function failAfter(ms: number): Promise<never> {
	await delay(ms, undefined, { ref: false });
	throw new Error(`no response within ${ms} ms`);
}
