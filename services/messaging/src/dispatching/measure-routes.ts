import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { DeliveryContext } from "../context.ts";
import { ROUTE_HEALTHS } from "../domain/route-health.ts";
import { ROUTE_STATES } from "../domain/route-state.ts";
import type { Operator, OperatorStatus } from "../operators/operator.ts";

/** A removed route runs nowhere. */
const RUNNING_STATES = ROUTE_STATES.filter((state) => state !== "removed");

/** How this process stands with the operators of the routes that run; read when the metrics are. */
export function measureRoutes(
	metrics: Metrics,
	{ dispatchers, routes }: Pick<DeliveryContext, "dispatchers" | "routes">,
): void {
	const gauge = (
		name: string,
		help: string,
		read: (operator: Operator, status: OperatorStatus) => number,
	) =>
		metrics.gauge(name, help, ["route"], (gauge) => {
			gauge.reset();
			for (const { operator } of dispatchers)
				gauge.set({ route: operator.code }, read(operator, operator.status()));
		});
	const standingOf = ({ code }: Operator) => routes.table().routes.get(code);
	metrics.gauge(
		"messaging_route_health",
		"1 for how the route is: up, in trial or down.",
		["route", "state"],
		(gauge) => {
			gauge.reset();
			for (const { operator } of dispatchers)
				for (const state of ROUTE_HEALTHS) {
					const isSo = standingOf(operator)?.health === state;
					gauge.set({ route: operator.code, state }, isSo ? 1 : 0);
				}
		},
	);
	metrics.gauge(
		"messaging_route_state",
		"1 for what the route is set to: active, paused or draining.",
		["route", "state"],
		(gauge) => {
			gauge.reset();
			for (const { operator } of dispatchers)
				for (const state of RUNNING_STATES) {
					const isSo = standingOf(operator)?.state === state;
					gauge.set({ route: operator.code, state }, isSo ? 1 : 0);
				}
		},
	);
	metrics.gauge(
		"messaging_route_segment_cost",
		"What the operator charges for a segment; 0 without a currency where nobody said.",
		["route", "currency"],
		(gauge) => {
			gauge.reset();
			for (const { operator } of dispatchers) {
				const cost = standingOf(operator)?.cost;
				const labels = { route: operator.code, currency: cost?.currency ?? "" };
				gauge.set(labels, cost?.amount ?? 0);
			}
		},
	);
	gauge(
		"messaging_route_window",
		"Most parts that may wait for an operator's response.",
		({ window }) => window,
	);
	gauge(
		"messaging_route_outstanding",
		"Parts that wait for an operator's response.",
		(_, { outstanding }) => outstanding,
	);
	gauge(
		"messaging_route_binds",
		"Connections that are bound.",
		(_, { binds }) => binds,
	);
	gauge(
		"messaging_route_binds_wanted",
		"Connections that should be bound.",
		(_, { bindsWanted }) => bindsWanted,
	);
	gauge(
		"messaging_route_paused",
		"1 while the operator has asked for less traffic.",
		(_, { pausedUntil }) => (pausedUntil === undefined ? 0 : 1),
	);
	gauge(
		"messaging_route_pace",
		"Segments a second to which the operator's throttling has slowed this process; 0 while it does not.",
		(_, { pace }) => pace ?? 0,
	);
}
