/** Times of a route, ms. */
export interface SmppLimits {
	/** From the start of connecting to the established TCP connection. */
	readonly connectTimeoutMs: number;
	/** From the write of a PDU to its answer. */
	readonly responseTimeoutMs: number;
	/** Between two enquire_link. */
	readonly enquireLinkMs: number;
	/** How long a part waits for a free slot before it is given back. */
	readonly queueTimeoutMs: number;
	/** First and longest pause between two attempts to connect; doubled in between, full jitter. */
	readonly reconnectMinMs: number;
	readonly reconnectMaxMs: number;
	/** A bind that lasted so long starts again at the first pause. */
	readonly stableAfterMs: number;
	/** Pause after the operator refused the bind itself. */
	readonly refusedRetryMs: number;
	/** First and longest pause of a throttled route; doubled in between. */
	readonly throttleMinMs: number;
	readonly throttleMaxMs: number;
	/** How long a graceful stop waits for outstanding answers. */
	readonly drainMs: number;
	/** How long the answer to an unbind is waited for, and a session that no longer takes work is kept. */
	readonly goodbyeMs: number;
	/** Receipts being stored at a time; what comes above is asked for again later. */
	readonly maxReceiptsInFlight: number;
}

export const defaultLimits: SmppLimits = {
	connectTimeoutMs: 10_000,
	responseTimeoutMs: 60_000,
	enquireLinkMs: 30_000,
	queueTimeoutMs: 30_000,
	reconnectMinMs: 1_000,
	reconnectMaxMs: 60_000,
	stableAfterMs: 60_000,
	refusedRetryMs: 300_000,
	throttleMinMs: 1_000,
	throttleMaxMs: 30_000,
	drainMs: 30_000,
	goodbyeMs: 2_000,
	maxReceiptsInFlight: 2_000,
};

/**
 * Pause before the next attempt to connect, full jitter: anything from 0 to the bound, which
 * doubles with each failure. `failures` counts from 1, `random` is in [0, 1).
 */
export function reconnectDelay(
	failures: number,
	random: number,
	limits: SmppLimits,
): number {
	const bound = limits.reconnectMinMs * 2 ** (failures - 1);
	return random * Math.min(limits.reconnectMaxMs, bound);
}

/** Pause after the n-th throttling in a row, from 1. */
export function throttlePause(inARow: number, limits: SmppLimits): number {
	const pause = limits.throttleMinMs * 2 ** (inARow - 1);
	return Math.min(limits.throttleMaxMs, pause);
}
