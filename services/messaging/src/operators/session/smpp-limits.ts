/** Times of a route, ms. */
export interface SmppLimits {
	readonly connectTimeoutMs: number;
	readonly responseTimeoutMs: number;
	readonly enquireLinkMs: number;
	readonly queueTimeoutMs: number;
	/** First and longest wait between two attempts to connect; doubled in between, full jitter. */
	readonly reconnectMinMs: number;
	readonly reconnectMaxMs: number;
	readonly stableAfterMs: number;
	readonly refusedRetryMs: number;
	/** First and longest wait of a throttled route; doubled in between. */
	readonly throttleMinMs: number;
	readonly throttleMaxMs: number;
	readonly drainMs: number;
	readonly goodbyeMs: number;
	readonly maxReceiptsInFlight: number;
}

export const defaultLimits: SmppLimits = {
	connectTimeoutMs: 10_000,
	responseTimeoutMs: 60_000,
	enquireLinkMs: 30_000,
	queueTimeoutMs: 30_000,
	reconnectMinMs: 1_000,
	reconnectMaxMs: 60_000,
	stableAfterMs: 5_000,
	refusedRetryMs: 300_000,
	throttleMinMs: 1_000,
	throttleMaxMs: 30_000,
	drainMs: 30_000,
	goodbyeMs: 2_000,
	maxReceiptsInFlight: 2_000,
};

/** Failures in a row, after a session that was bound for so long; one that held counts as none. */
export function nextFailures(
	failures: number,
	boundMs: number,
	{ stableAfterMs }: SmppLimits,
): number {
	return boundMs >= stableAfterMs ? 1 : failures + 1;
}

/** Wait before the next attempt to connect, ms. `failures` in a row, from 1; `random` within [0, 1). */
export function reconnectDelay(
	failures: number,
	random: number,
	limits: SmppLimits,
): number {
	const bound = limits.reconnectMinMs * 2 ** (failures - 1);
	return random * Math.min(limits.reconnectMaxMs, bound);
}
