import type { RefusalLimits } from "../../domain/bind-retry.ts";

/** Times of a route, ms. */
export interface SmppLimits extends RefusalLimits {
	readonly connectTimeoutMs: number;
	readonly responseTimeoutMs: number;
	readonly enquireLinkMs: number;
	/** A connection over which nothing comes for so long after an enquire_link is down; `responseTimeoutMs` ends it. */
	readonly enquireTimeoutMs: number;
	readonly queueTimeoutMs: number;
	/** First and longest wait between two attempts to connect; doubled in between, full jitter. */
	readonly reconnectMinMs: number;
	readonly reconnectMaxMs: number;
	readonly stableAfterMs: number;
	/** While another host is used: from look to look at the first, and how long it must take connections to be used. */
	readonly lookAtHostMs: number;
	readonly firstHostHeldMs: number;
	/** So long a bind that the operator refuses as taken is no alarm: its former holder's session may not be over. */
	readonly takenMs: number;
	/** Longest wait between two attempts meanwhile. */
	readonly takenRetryMs: number;
	/** From taking a connection over until its part of the rate may be used: its former holder's second has passed. */
	readonly rateAfterMs: number;
	/** First and longest wait of a throttled route; doubled in between. */
	readonly throttleMinMs: number;
	readonly throttleMaxMs: number;
	readonly drainMs: number;
	readonly unbindTimeoutMs: number;
	readonly maxReceiptsInFlight: number;
}

export const defaultLimits: SmppLimits = {
	connectTimeoutMs: 10_000,
	responseTimeoutMs: 60_000,
	enquireLinkMs: 10_000,
	enquireTimeoutMs: 5_000,
	queueTimeoutMs: 30_000,
	reconnectMinMs: 1_000,
	reconnectMaxMs: 60_000,
	stableAfterMs: 5_000,
	lookAtHostMs: 10_000,
	firstHostHeldMs: 60_000,
	provenMs: 600_000,
	refusedSoonMs: [10_000, 30_000],
	refusedRetryMs: 300_000,
	takenMs: 60_000,
	takenRetryMs: 5_000,
	rateAfterMs: 1_000,
	throttleMinMs: 300,
	throttleMaxMs: 30_000,
	drainMs: 20_000,
	unbindTimeoutMs: 2_000,
	maxReceiptsInFlight: 2_000,
};
