import type { Metrics } from "@airtower/platform/runtime/metrics";

/** What the service counts, each label from a small closed set. */
export type Telemetry = ReturnType<typeof createTelemetry>;

export function createTelemetry(metrics: Metrics) {
	return {
		/** `result`: accepted, replayed, or the reason of a refusal. */
		sends: metrics.counter(
			"messaging_sends_total",
			"Messages asked to be sent, by result.",
			["result"],
		),
		attempts: metrics.counter(
			"messaging_attempts_total",
			"Submit attempts that were settled, by outcome.",
			["outcome"],
		),
		sessionRefusals: metrics.counter(
			"messaging_session_refusals_total",
			"Submits to which an operator responded by refusing the session.",
			["route", "status"],
		),
		receipts: metrics.counter(
			"messaging_receipts_total",
			"Receipts, by what became of them.",
			["result"],
		),
		outcomes: metrics.counter(
			"messaging_outcomes_total",
			"Messages that reached their final state.",
			["status"],
		),
		rescued: metrics.counter(
			"messaging_rescued_total",
			"Messages taken over from processes that are gone.",
		),
		unknown: metrics.gauge(
			"messaging_unknown_messages",
			"Messages that were sent without a response, counted up to a limit.",
		),
		unknownAge: metrics.gauge(
			"messaging_unknown_age_seconds",
			"Time since the oldest of them was sent.",
		),
		dispatchDepth: metrics.gauge(
			"messaging_dispatch_depth",
			"Messages that wait to be taken by an operator, counted up to a limit.",
		),
	};
}
