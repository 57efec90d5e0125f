import type { Logger } from "@airtower/platform/runtime/log";
import type { Egress } from "./http/egress.ts";
import { createHttpOperator } from "./http/http-operator.ts";
import { tryAccount } from "./http/try-account.ts";
import type { Operator } from "./operator.ts";
import type { OperatorRoute } from "./route/operator-route.ts";
import { tryBind } from "./session/try-bind.ts";
import { createSmppOperator } from "./smpp-operator.ts";

/** Connects nothing yet. */
export function openOperator(
	route: OperatorRoute,
	log: Logger,
	egress: Egress,
): Operator {
	return route.kind === "http"
		? createHttpOperator({ route, log, egress })
		: createSmppOperator(route, log);
}

export interface TryResult {
	readonly passed: boolean;
	/** What the operator said, in words. */
	readonly result: string;
}

/** Binds, or calls what sends nothing, as the route would. */
export async function tryOperator(
	route: OperatorRoute,
	egress: Egress,
	signal: AbortSignal,
): Promise<TryResult> {
	if (route.kind === "http") return tryAccount(route, egress);
	const problem = await tryBind(route, signal);
	if (problem !== undefined) return { passed: false, result: problem };
	return { passed: true, result: `bound at ${route.host}:${route.port}` };
}
