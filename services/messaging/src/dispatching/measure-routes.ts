import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { Dispatcher } from "../context.ts";
import type { Operator, OperatorStatus } from "../operators/operator.ts";

/** How this process stands with the operators of the routes that run; read when the metrics are. */
export function measureRoutes(
	metrics: Metrics,
	dispatchers: readonly Pick<Dispatcher, "operator">[],
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
}
