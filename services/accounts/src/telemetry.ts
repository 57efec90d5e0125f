import type { Metrics } from "@airtower/platform/runtime/metrics";

/** What the service counts, each label from a small closed set. */
export function createTelemetry(metrics: Metrics) {
	return {
		/** `result`: granted, repeated, or the reason of a refusal. */
		reservations: metrics.counter(
			"accounts_reservations_total",
			"Units of quota asked for, by result.",
			["result"],
		),
		/** `by`: caller or reconciler. */
		releases: metrics.counter(
			"accounts_releases_total",
			"Units of quota given back, by who asked.",
			["by"],
		),
		/** `result`: valid or refused. */
		keyChecks: metrics.counter(
			"accounts_key_checks_total",
			"API keys verified, by result.",
			["result"],
		),
		reconcilerLagSeconds: metrics.gauge(
			"accounts_reconciler_lag_seconds",
			"Age of the oldest reservation that is not settled yet, in closed windows.",
		),
	};
}

export type Telemetry = ReturnType<typeof createTelemetry>;
