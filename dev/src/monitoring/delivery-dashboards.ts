import { type Dashboard, panel, rate, times } from "./panel.ts";

const ROUTE_FILL = "sum by (route) (messaging_route_outstanding)";

export const delivery: Dashboard = {
	name: "delivery",
	panels: [
		panel("Accepted and ended", "reqps", {
			accepted: rate(`messaging_sends_total{result="accepted"}`),
			"{{status}}": rate("messaging_outcomes_total", "status"),
		}),
		panel("Waiting", "short", {
			"to be sent": "max(messaging_dispatch_depth)",
			unknown: "max(messaging_unknown_messages)",
			"WhatsApp, to be sent": "max(whatsapp_dispatch_depth)",
		}),
		panel("Ages of the oldest", "s", {
			unsent: "max(messaging_unsent_age_seconds)",
			unknown: "max(messaging_unknown_age_seconds)",
			unpublished: `max(outbox_lag_seconds{service="messaging"})`,
			"WhatsApp, unsent": "max(whatsapp_unsent_age_seconds)",
			"WhatsApp, unknown": "max(whatsapp_unknown_age_seconds)",
		}),
		panel(
			"Time until a message's first attempt, by lane",
			"s",
			times("messaging_lane_wait_seconds", "", "lane"),
		),
		panel("Attempts by outcome", "reqps", {
			"{{outcome}}": rate("messaging_attempts_total", "outcome"),
		}),
		panel("Receipts by result", "reqps", {
			"{{result}}": rate("messaging_receipts_total", "result"),
		}),
		panel("Taken over from processes that are gone", "short", {
			SMS: "sum(increase(messaging_rescued_total[$__rate_interval]))",
			WhatsApp: "sum(increase(whatsapp_rescued_total[$__rate_interval]))",
		}),
		panel("WhatsApp attempts by outcome", "reqps", {
			"{{outcome}}": rate("whatsapp_attempts_total", "outcome"),
		}),
		panel("WhatsApp outcomes and callbacks", "reqps", {
			"{{status}}": rate("whatsapp_outcomes_total", "status"),
			"callback {{result}}": rate("whatsapp_callbacks_total", "result"),
		}),
		panel("WhatsApp submits under way", "short", {
			"under way": "sum(whatsapp_submits_in_flight)",
		}),
		panel("WhatsApp numbers stopped", "short", {
			stopped:
				"sum(increase(whatsapp_numbers_stopped_total[$__rate_interval]))",
		}),
	],
};

export const operators: Dashboard = {
	name: "operators",
	panels: [
		panel("Submits by status", "reqps", {
			"{{route}} {{status}}": rate("messaging_submits_total", "route, status"),
		}),
		panel("Window fill", "percentunit", {
			"{{route}}": `${ROUTE_FILL} / sum by (route) (messaging_route_window)`,
		}),
		panel("Binds", "short", {
			"{{route}} bound": "sum by (route) (messaging_route_binds)",
			"{{route}} wanted": "sum by (route) (messaging_route_binds_wanted)",
		}),
		panel(
			"Receipt delay",
			"s",
			times("messaging_receipt_delay_seconds", "", "route"),
		),
		panel("Paused by the operator", "short", {
			"{{route}}": "max by (route) (messaging_route_paused)",
		}),
		panel("Sessions refused over a message", "short", {
			"{{route}} {{status}}":
				"sum by (route, status) (increase(messaging_session_refusals_total[$__rate_interval]))",
		}),
	],
};

const SHOWN_BY_ROUTE = "{{route}}";
/** Of a segment that an operator took. */
const COST = "max by (route, currency) (messaging_route_segment_cost)";
const TAKEN_IN_AN_HOUR = `sum by (route) (increase(messaging_submits_total{status="0x00"}[1h]))`;

export const routes: Dashboard = {
	name: "routes",
	panels: [
		panel("Health", "short", {
			"{{route}} {{state}}":
				"max by (route, state) (messaging_route_health) > 0",
		}),
		panel("Submits that were not taken, by status", "reqps", {
			"{{route}} {{status}}": rate(
				`messaging_submits_total{status!="0x00"}`,
				"route, status",
			),
		}),
		panel(
			"Time until the operator responds",
			"s",
			times("messaging_response_seconds", "", "route"),
		),
		panel("Delivered of what was submitted within an hour", "percentunit", {
			[SHOWN_BY_ROUTE]: "airtower:delivered:ratio_hour",
			"{{route}}, its week": "airtower:delivered:ratio_week",
		}),
		panel("Largest fall of a country below its week", "percentunit", {
			[SHOWN_BY_ROUTE]: "max by (route) (messaging_route_prefix_drop)",
		}),
		panel("Receipts outstanding, by age", "short", {
			"{{route}} {{age}}":
				"max by (route, age) (messaging_receipts_outstanding)",
		}),
		panel("Receipts missing", "short", {
			[SHOWN_BY_ROUTE]: "max by (route) (messaging_route_receipts_missing)",
		}),
		panel("Cost of an hour", "short", {
			"{{route}} {{currency}}": `${COST} * on (route) group_left () ${TAKEN_IN_AN_HOUR}`,
		}),
		panel("Pace while the operator throttles", "reqps", {
			[SHOWN_BY_ROUTE]: "sum by (route) (messaging_route_pace)",
		}),
	],
};

export const webhooks: Dashboard = {
	name: "webhooks",
	panels: [
		panel("Attempts by result", "reqps", {
			"{{result}}": rate("webhooks_attempts_total", "result"),
		}),
		panel(
			"Outcome to first attempt",
			"s",
			times("webhooks_outcome_to_first_attempt_seconds"),
		),
		panel("Duration of attempts", "s", times("webhooks_attempt_seconds")),
		panel("Waiting", "short", {
			deliveries: "max(webhooks_undelivered)",
			"attempts in flight": "sum(webhooks_attempts_in_flight)",
		}),
		panel("Age of the oldest undelivered", "s", {
			undelivered: "max(webhooks_undelivered_age_seconds)",
			"not tried yet": "max(webhooks_untried_age_seconds)",
		}),
		panel("Given up, disabled, fenced, rescued", "short", {
			"deliveries given up":
				"sum(increase(webhooks_deliveries_dead_total[$__rate_interval]))",
			"endpoints disabled: {{reason}}":
				"sum by (reason) (increase(webhooks_endpoints_disabled_total[$__rate_interval]))",
			"attempts that outlived their lease":
				"sum(increase(webhooks_settlements_fenced_total[$__rate_interval]))",
			rescued: "sum(increase(webhooks_rescued_total[$__rate_interval]))",
		}),
	],
};

export const campaigns: Dashboard = {
	name: "campaigns",
	panels: [
		panel("Recipients by result", "reqps", {
			"{{result}}": rate("campaigns_recipients_total", "result"),
		}),
		panel("Campaigns that are not over", "short", {
			"{{status}}": "max by (status) (campaigns_unfinished)",
		}),
		panel("Recipients that wait", "short", {
			pending: "max(campaigns_pending_recipients)",
		}),
		panel("Longest overdue", "s", {
			overdue: "max(campaigns_overdue_seconds)",
		}),
		panel(
			"Calls to messaging",
			"s",
			times(
				"rpc_server_duration_seconds",
				`{method="airtower.messaging.v1.MessagingService/SendMessages"}`,
			),
		),
		panel("Events applied", "reqps", {
			"{{outcome}}": rate(
				`consumer_events_total{service="campaigns"}`,
				"outcome",
			),
		}),
	],
};
