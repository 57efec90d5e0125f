import type { Metrics } from "@airtower/platform/runtime/metrics";

/** What the service counts, each label from a small closed set. */
export type Telemetry = ReturnType<typeof createTelemetry>;

/** A receipt comes when the phone is switched on: within seconds, or days later. */
const RECEIPT_DELAY_BUCKETS_S = [
	1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400,
];

export function createTelemetry(metrics: Metrics) {
	return {
		/** `result`: accepted, replayed, or the reason of a refusal. */
		sends: metrics.counter(
			"messaging_sends_total",
			"Messages asked to be sent, by result.",
			{ result: ["accepted", "replayed"] },
		),
		attempts: metrics.counter(
			"messaging_attempts_total",
			"Submit attempts that were settled, by outcome.",
			{ outcome: ["submitted", "postponed", "unknown", "failed", "fenced"] },
		),
		/** `status`: of the operator's response, "none" where none came in time. */
		submits: metrics.counter(
			"messaging_submits_total",
			"Parts written to an operator, by the status of its response.",
			["route", "status"],
		),
		receiptDelay: metrics.histogram(
			"messaging_receipt_delay_seconds",
			"Time from the operator's response to the receipt that ended a message.",
			["route"],
			RECEIPT_DELAY_BUCKETS_S,
		),
		sessionRefusals: metrics.counter(
			"messaging_session_refusals_total",
			"Submits to which an operator responded by refusing the session.",
			["route", "status"],
		),
		receipts: metrics.counter(
			"messaging_receipts_total",
			"Receipts, by what became of them.",
			{
				result: ["applied", "late", "parked", "other_number", "ambiguous"],
			},
		),
		outcomes: metrics.counter(
			"messaging_outcomes_total",
			"Messages that reached their final state.",
			{ status: ["delivered", "failed"] },
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
		unsentAge: metrics.gauge(
			"messaging_unsent_age_seconds",
			"Age of the oldest message that no operator has taken, neither held back nor refused and not due again.",
		),
		dispatchDepth: metrics.gauge(
			"messaging_dispatch_depth",
			"Messages that wait to be taken by an operator, counted up to a limit.",
		),
	};
}

/** Makes the series of a route before its first submit. */
export function openRouteSeries(
	{ submits, receiptDelay, sessionRefusals }: Telemetry,
	route: string,
): void {
	for (const status of ["0x00", "none"]) submits.inc({ route, status }, 0);
	for (const status of ["0x03", "0x04", "0x05"])
		sessionRefusals.inc({ route, status }, 0);
	receiptDelay.zero({ route });
}
