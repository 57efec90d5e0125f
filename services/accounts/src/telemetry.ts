import type { Metrics } from "@airtower/platform/runtime/metrics";

/** What the service counts, each label from a small closed set. */
export interface Telemetry {
	/** `result`: granted, repeated, or the reason of a refusal. */
	countReservations(result: string, count: number): void;
	countReleases(by: "caller" | "reconciler", count: number): void;
	countKeyChecks(result: "valid" | "refused", count: number): void;
	setReconcilerLag(seconds: number): void;
}

export function createTelemetry(metrics: Metrics): Telemetry {
	const reservations = metrics.counter(
		"accounts_reservations_total",
		"Units of quota asked for, by result.",
		["result"],
	);
	const releases = metrics.counter(
		"accounts_releases_total",
		"Units of quota given back, by who asked.",
		["by"],
	);
	const keyChecks = metrics.counter(
		"accounts_key_checks_total",
		"API keys verified, by result.",
		["result"],
	);
	const lag = metrics.gauge(
		"accounts_reconciler_lag_seconds",
		"Age of the oldest reservation that is not settled yet, in closed windows.",
	);
	return {
		countReservations: (result, count) => reservations.inc({ result }, count),
		countReleases: (by, count) => releases.inc({ by }, count),
		countKeyChecks: (result, count) => keyChecks.inc({ result }, count),
		setReconcilerLag: (seconds) => lag.set(seconds),
	};
}
