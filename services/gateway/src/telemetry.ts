import type { Metrics } from "@airtower/platform/runtime/metrics";

export function createTelemetry(metrics: Metrics) {
	return {
		requests: metrics.counter(
			"gateway_http_requests_total",
			"Responses, by route pattern, method and status.",
			["route", "method", "status"],
		),
		requestSeconds: metrics.tracedHistogram(
			"gateway_http_request_seconds",
			"Time from a request's head to the end of its response.",
			["route", "method"],
		),
		requestsNotLogged: metrics.counter(
			"gateway_requests_not_logged_total",
			"Requests that are not in the request log: too many of one organization, or the database was away.",
		),
		failedAuthentications: metrics.counter(
			"gateway_failed_authentications_total",
			"Requests without a good API key.",
		),
		sendsWaiting: metrics.gauge(
			"gateway_sends_waiting",
			"Messages that wait to be part of a call, by channel.",
			["channel"],
		),
		sendsNotTaken: metrics.counter(
			"gateway_sends_not_taken_total",
			"Messages that no service has had: too many or too long waiting, or given up by their clients.",
			{ channel: ["sms", "whatsapp"] },
		),
		rateLeases: metrics.counter(
			"gateway_rate_leases_total",
			"Blocks of rate limit units asked for.",
		),
		rateLocalDecisions: metrics.counter(
			"gateway_rate_local_decisions_total",
			"Requests judged by the last known share because the store was down.",
		),
		serviceUp: metrics.gauge(
			"gateway_service_up",
			"1 when the service says that it serves.",
			["name"],
		),
	};
}

export type Telemetry = ReturnType<typeof createTelemetry>;
