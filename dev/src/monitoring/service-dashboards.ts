import { type Dashboard, panel, rate, times } from "./panel.ts";

const SENDS = `method="POST", route=~".+(send|messages)"`;

export const overview: Dashboard = {
	name: "overview",
	panels: [
		panel("Requests by status", "reqps", {
			"{{status}}": rate("gateway_http_requests_total", "status"),
		}),
		panel("Burn of the objectives, 1 h", "short", {
			"accept: errors": "max(airtower:accept_errors:burn1h)",
			"accept: latency": "max(airtower:accept_latency:burn1h)",
			"callbacks: latency": "max(airtower:callback_latency:burn1h)",
		}),
		panel("Services that can store", "short", {
			"{{name}}": "min by (name) (gateway_service_up)",
		}),
		panel("Ages of the oldest", "s", {
			unsent: "max(messaging_unsent_age_seconds)",
			unknown: "max(messaging_unknown_age_seconds)",
			"WhatsApp, unsent": "max(whatsapp_unsent_age_seconds)",
			"WhatsApp, unknown": "max(whatsapp_unknown_age_seconds)",
			"unpublished, {{service}}": "max by (service) (outbox_lag_seconds)",
			undelivered: "max(webhooks_undelivered_age_seconds)",
		}),
		panel("Quota drift", "short", {
			"balance and ledger, units": "max(accounts_quota_drift_units)",
			"messages without a debit": "max(accounts_undebited_messages)",
		}),
		panel("Calls by code", "reqps", {
			"{{service}} {{code}}": rate("rpc_server_calls_total", "service, code"),
		}),
		panel("Calls in flight", "short", {
			"{{service}}": "sum by (service) (rpc_server_calls_in_flight)",
		}),
		panel("CPU, cores", "short", {
			"{{service}}": rate("process_cpu_seconds", "service"),
		}),
		panel("Memory", "bytes", {
			"{{service}}": "max by (service) (process_resident_memory_bytes)",
		}),
		panel("Busiest event loop", "percentunit", {
			"{{service}}": "max by (service) (process_event_loop_utilization)",
		}),
	],
};

export const accept: Dashboard = {
	name: "accept",
	panels: [
		panel("Sends by status", "reqps", {
			"{{route}} {{status}}": rate(
				`gateway_http_requests_total{${SENDS}}`,
				"route, status",
			),
		}),
		panel(
			"Time of sends",
			"s",
			times("gateway_http_request_seconds", `{${SENDS}}`, "route"),
		),
		panel("Requests by route and method", "reqps", {
			"{{method}} {{route}}": rate(
				"gateway_http_requests_total",
				"method, route",
			),
		}),
		panel("Messages that wait for a call", "short", {
			"{{channel}}": "sum by (channel) (gateway_sends_waiting)",
			"{{channel}}, not taken":
				"sum by (channel) (increase(gateway_sends_not_taken_total[$__rate_interval]))",
		}),
		panel("Messages by result", "reqps", {
			"SMS {{result}}": rate("messaging_sends_total", "result"),
			"WhatsApp {{result}}": rate("whatsapp_sends_total", "result"),
		}),
		panel("Quota by result", "reqps", {
			"{{result}}": rate("accounts_reservations_total", "result"),
			"given back by {{by}}": rate("accounts_releases_total", "by"),
		}),
		panel("Keys", "reqps", {
			"checked, {{result}}": rate("accounts_key_checks_total", "result"),
			"requests without a good key": rate(
				"gateway_failed_authentications_total",
			),
		}),
		panel("Rate limits", "reqps", {
			"blocks leased": rate("gateway_rate_leases_total"),
			"judged without the store": rate("gateway_rate_local_decisions_total"),
		}),
		panel(
			"Time of calls",
			"s",
			times("rpc_server_duration_seconds", "", "method"),
		),
	],
};

export const database: Dashboard = {
	name: "database",
	panels: [
		panel(
			"Time of a small statement",
			"s",
			times("database_response_seconds", "", "service"),
		),
		panel("Sessions", "short", {
			"{{service}} {{state}}": "max by (service, state) (database_sessions)",
		}),
		panel("Connections allowed", "short", {
			"{{service}}": "sum by (service) (database_pool_size)",
		}),
		panel("Longest statement", "s", {
			"{{service}}": "max by (service) (database_longest_statement_seconds)",
		}),
		panel("Rows that wait for vacuum", "short", {
			"{{service}}": "max by (service) (database_dead_rows)",
		}),
		panel("Disk space", "bytes", {
			"{{service}}": "max by (service) (database_schema_bytes)",
		}),
		panel("Reservations that are not settled", "s", {
			oldest: "max(accounts_reconciler_lag_seconds)",
		}),
	],
};

export const kafka: Dashboard = {
	name: "kafka",
	panels: [
		panel("Events published", "reqps", {
			"{{service}}": rate("outbox_published_total", "service"),
		}),
		panel(
			"Time to publish a batch",
			"s",
			times("outbox_publish_seconds", "", "service"),
		),
		panel("Events that wait to be published", "short", {
			"{{service}}": "max by (service) (outbox_depth)",
		}),
		panel("Age of the oldest unpublished", "s", {
			"{{service}}": "max by (service) (outbox_lag_seconds)",
		}),
		panel("Events that wait for a group", "short", {
			"{{group}}": "sum by (group) (event_bus_lag)",
		}),
		panel("Events by outcome", "reqps", {
			"{{group}} {{outcome}}": rate("consumer_events_total", "group, outcome"),
		}),
		panel(
			"Time to apply a batch",
			"s",
			times("consumer_batch_seconds", "", "group"),
		),
	],
};
