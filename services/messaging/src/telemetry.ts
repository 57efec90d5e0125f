import type { Metrics } from "@airtower/platform/runtime/metrics";
import { PRIORITIES } from "./domain/lanes.ts";

/** What the service counts, each label from a small closed set. */
export type Telemetry = ReturnType<typeof createTelemetry>;

/** A receipt comes when the phone is switched on: within seconds, or days later. */
const RECEIPT_DELAY_BUCKETS_S = [
	1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400,
];

/** An operator far away responds within tenths of a second, and one that is overloaded within many, s. */
const RESPONSE_BUCKETS_S = [
	0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];

/** What waits is claimed within tenths of a second, or while a route is behind, within minutes, s. */
const LANE_WAIT_BUCKETS_S = [
	0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800,
];

export function createTelemetry(metrics: Metrics) {
	const laneWait = metrics.histogram(
		"messaging_lane_wait_seconds",
		"Time from when a message was due until it was claimed for its first attempt.",
		["lane"],
		LANE_WAIT_BUCKETS_S,
	);
	for (const lane of PRIORITIES) laneWait.zero({ lane });
	return {
		laneWait,
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
		responseTime: metrics.histogram(
			"messaging_response_seconds",
			"Time from the first byte of a submit to the operator's response.",
			["route"],
			RESPONSE_BUCKETS_S,
		),
		receiptDelay: metrics.histogram(
			"messaging_receipt_delay_seconds",
			"Time from the operator's response to the receipt that ended a message.",
			["route"],
			RECEIPT_DELAY_BUCKETS_S,
		),
		/** `age`: since the submission. */
		receiptsOutstanding: metrics.gauge(
			"messaging_receipts_outstanding",
			"Messages of two days that an operator has taken and no receipt has ended.",
			["route", "age"],
		),
		/** `state`: submitted, delivered, failed. `period`: hour, without its last 5 minutes; week, before it. */
		routeMessages: metrics.gauge(
			"messaging_route_messages",
			"What became of the messages that were submitted in a period.",
			["route", "period", "state"],
		),
		prefixDrop: metrics.gauge(
			"messaging_route_prefix_drop",
			"Fall of the delivered share of one country's messages below its own week, the largest of all countries, 0 to 1.",
			["route"],
		),
		receiptsMissing: metrics.gauge(
			"messaging_route_receipts_missing",
			"1 while receipts do not come as they used to.",
			["route"],
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
		/** `result`: given to an organization whole or incomplete, kept for the admin, or known already. */
		inbound: metrics.counter(
			"messaging_inbound_total",
			"Texts that phones sent to us, by what became of them.",
			{ result: ["received", "incomplete", "unowned", "repeated"] },
		),
		outcomes: metrics.counter(
			"messaging_outcomes_total",
			"Messages that reached their final state.",
			{ status: ["delivered", "failed", "canceled"] },
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
	{ submits, responseTime, receiptDelay, sessionRefusals }: Telemetry,
	route: string,
): void {
	for (const status of ["0x00", "none"]) submits.inc({ route, status }, 0);
	for (const status of ["0x03", "0x04", "0x05"])
		sessionRefusals.inc({ route, status }, 0);
	responseTime.zero({ route });
	receiptDelay.zero({ route });
}

/** Returns what ends the series of the routes that are no longer among those that it is given. */
export function createSeriesEnd(telemetry: Telemetry) {
	let known: ReadonlySet<string> = new Set();
	return async (routes: readonly { readonly code: string }[]) => {
		const codes = new Set(routes.map(({ code }) => code));
		for (const code of known.difference(codes))
			await closeRouteSeries(telemetry, code);
		known = codes;
	};
}

/** Ends the series of a route that was removed. */
export async function closeRouteSeries(
	{ submits, responseTime, receiptDelay, sessionRefusals }: Telemetry,
	route: string,
): Promise<void> {
	responseTime.remove({ route });
	receiptDelay.remove({ route });
	for (const counter of [submits, sessionRefusals])
		for (const { labels } of (await counter.get()).values)
			if (labels.route === route) counter.remove(labels);
}
