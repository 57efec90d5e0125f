import type { Metrics } from "@airtower/platform/runtime/metrics";

export function createTelemetry(metrics: Metrics) {
	return {
		attempts: metrics.counter(
			"webhooks_attempts_total",
			"Attempts by result: ok, or the word of the failure.",
			{ result: ["ok"] },
		),
		attemptSeconds: metrics.histogram(
			"webhooks_attempt_seconds",
			"Duration of attempts, from the look-up of the host to the response.",
		),
		firstAttemptSeconds: metrics.histogram(
			"webhooks_outcome_to_first_attempt_seconds",
			"Time from a message's outcome to the end of the first attempt.",
		),
		dead: metrics.counter(
			"webhooks_deliveries_dead_total",
			"Deliveries given up.",
		),
		disabled: metrics.counter(
			"webhooks_endpoints_disabled_total",
			"Endpoints disabled, by reason.",
			{ reason: ["gone", "failing"] },
		),
		fenced: metrics.counter(
			"webhooks_settlements_fenced_total",
			"Attempts whose lease had ended before they were settled.",
		),
		rescued: metrics.counter(
			"webhooks_rescued_total",
			"Deliveries taken over from processes that are gone.",
		),
		undelivered: metrics.gauge(
			"webhooks_undelivered",
			"Deliveries that wait for an attempt or are in flight, counted up to a limit.",
		),
		undeliveredAge: metrics.gauge(
			"webhooks_undelivered_age_seconds",
			"Age of the oldest event among them.",
		),
		untriedAge: metrics.gauge(
			"webhooks_untried_age_seconds",
			"How long the oldest has waited for its first attempt, without those to endpoints that fail.",
		),
		inFlight: metrics.gauge(
			"webhooks_attempts_in_flight",
			"Attempts in flight.",
		),
	};
}

export type Telemetry = ReturnType<typeof createTelemetry>;
