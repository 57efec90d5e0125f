import type { Metrics } from "@airtower/platform/runtime/metrics";

export function createTelemetry(metrics: Metrics) {
	return {
		recipients: metrics.counter(
			"campaigns_recipients_total",
			"Recipients that campaigns have dealt with: accepted or skipped.",
			{ result: ["accepted", "skipped"] },
		),
		unfinished: metrics.gauge(
			"campaigns_unfinished",
			"Campaigns that are not over, by status.",
			["status"],
		),
		pending: metrics.gauge(
			"campaigns_pending_recipients",
			"Recipients that campaigns under way have not dealt with.",
		),
		overdue: metrics.gauge(
			"campaigns_overdue_seconds",
			"Time for which the campaign that waits longest has been due.",
		),
	};
}

export type Telemetry = ReturnType<typeof createTelemetry>;
