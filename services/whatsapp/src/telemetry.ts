import type { Metrics } from "@airtower/platform/runtime/metrics";

/** What the service counts. Labels have values of closed sets only. */
export function createTelemetry(metrics: Metrics) {
	return {
		sends: metrics.counter(
			"whatsapp_sends_total",
			"Messages asked to be sent, by result: accepted, replayed or the reason of the refusal.",
			{ result: ["accepted", "replayed"] },
		),
		attempts: metrics.counter(
			"whatsapp_attempts_total",
			"Submit attempts that were settled, by outcome.",
			{
				outcome: [
					"sent",
					"postponed",
					"unknown",
					"failed",
					"number_stopped",
					"fenced",
				],
			},
		),
		outcomes: metrics.counter(
			"whatsapp_outcomes_total",
			"Messages that reached their outcome.",
			{ status: ["delivered", "failed"] },
		),
		callbacks: metrics.counter(
			"whatsapp_callbacks_total",
			"Callbacks, by what became of them.",
			{ result: ["processed", "stored", "kept", "forged"] },
		),
		rescued: metrics.counter(
			"whatsapp_rescued_total",
			"Messages taken over from processes that are gone.",
			{ from: ["claimed", "submitting"] },
		),
		stopped: metrics.counter(
			"whatsapp_numbers_stopped_total",
			"Numbers that were stopped because the provider refuses them.",
		),
		dispatchDepth: metrics.gauge(
			"whatsapp_dispatch_depth",
			"Messages that wait for the provider, counted up to a limit.",
		),
		unsentAge: metrics.gauge(
			"whatsapp_unsent_age_seconds",
			"Age of the oldest message that waits although its number works and nobody holds it back.",
		),
		unknownAge: metrics.gauge(
			"whatsapp_unknown_age_seconds",
			"Time since the oldest message without a response was sent.",
		),
		inFlight: metrics.gauge("whatsapp_submits_in_flight", "Submits under way."),
	};
}

export type Telemetry = ReturnType<typeof createTelemetry>;
