import type { Metrics } from "@airtower/platform/runtime/metrics";

export function createTelemetry(metrics: Metrics) {
	return {
		reservations: metrics.counter(
			"accounts_reservations_total",
			"Units of quota asked for, by result.",
			{ result: ["granted", "repeated"] },
		),
		releases: metrics.counter(
			"accounts_releases_total",
			"Units of quota given back, by who asked.",
			{ by: ["caller", "reconciler"] },
		),
		keyChecks: metrics.counter(
			"accounts_key_checks_total",
			"API keys verified, by result.",
			{ result: ["valid", "refused"] },
		),
		undebitedMessages: metrics.gauge(
			"accounts_undebited_messages",
			"Stored messages without a debit that no admin has settled.",
		),
		quotaDrift: metrics.gauge(
			"accounts_quota_drift_units",
			"Sum over all organizations of what a balance and the last line of its ledger are apart.",
		),
		reconcilerLagSeconds: metrics.gauge(
			"accounts_reconciler_lag_seconds",
			"Age of the oldest reservation that is not settled yet, in closed windows.",
		),
	};
}

export type Telemetry = ReturnType<typeof createTelemetry>;
