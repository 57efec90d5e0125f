import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { AttemptOutcome } from "./domain/attempt-outcome.ts";
import type { ReceiptEffects } from "./domain/receipt-effects.ts";

/** What the service counts, each label from a small closed set. */
export interface Telemetry {
	/** `result`: accepted, replayed, or the reason of a refusal. */
	countSends(result: string, count: number): void;
	countAttempts(
		outcome: AttemptOutcome["kind"] | "fenced",
		count: number,
	): void;
	countReceipts(effects: ReceiptEffects): void;
	countOutcome(status: "delivered" | "failed"): void;
	countRescued(count: number): void;
	setDispatchDepth(rows: number): void;
}

export function createTelemetry(metrics: Metrics): Telemetry {
	const sends = metrics.counter(
		"messaging_sends_total",
		"Messages asked to be sent, by result.",
		["result"],
	);
	const attempts = metrics.counter(
		"messaging_attempts_total",
		"Submit attempts that were settled, by outcome.",
		["outcome"],
	);
	const receipts = metrics.counter(
		"messaging_receipts_total",
		"Receipts, by what became of them.",
		["result"],
	);
	const outcomes = metrics.counter(
		"messaging_outcomes_total",
		"Messages that reached their final state.",
		["status"],
	);
	const rescued = metrics.counter(
		"messaging_rescued_total",
		"Messages taken over from processes that are gone.",
	);
	const depth = metrics.gauge(
		"messaging_dispatch_depth",
		"Messages that wait to be taken by an operator, counted up to a limit.",
	);
	return {
		countSends: (result, count) => sends.inc({ result }, count),
		countAttempts: (outcome, count) => attempts.inc({ outcome }, count),
		countReceipts: ({ done, unmatched, ambiguous }) => {
			receipts.inc({ result: "applied" }, done.length);
			receipts.inc({ result: "parked" }, unmatched.length);
			receipts.inc({ result: "ambiguous" }, ambiguous.length);
		},
		countOutcome: (status) => outcomes.inc({ status }),
		countRescued: (count) => rescued.inc(count),
		setDispatchDepth: (rows) => depth.set(rows),
	};
}
