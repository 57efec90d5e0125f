import type { Logger } from "@airtower/platform/runtime/log";
import type { Egress } from "./http/egress.ts";
import { createHttpOperator } from "./http/http-operator.ts";
import { tryAccount } from "./http/try-account.ts";
import type { Operator } from "./operator.ts";
import type { OperatorRoute } from "./route/operator-route.ts";
import { hostsOf, hostText } from "./route/route-hosts.ts";
import type { SmppRoute } from "./route/smpp-route.ts";
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

/** Binds at each host, or calls what sends nothing, as the route would. */
export async function tryOperator(
	route: OperatorRoute,
	egress: Egress,
	signal: AbortSignal,
): Promise<TryResult> {
	if (route.kind === "http") return tryAccount(route, egress);
	return tryHosts(route, signal);
}

/** None is tried after one that refuses the credentials: operators lock accounts. */
async function tryHosts(
	route: SmppRoute,
	signal: AbortSignal,
): Promise<TryResult> {
	const results: string[] = [];
	let passed = true;
	const hosts = hostsOf(route);
	for (const host of hosts) {
		const problem = await tryBind({ ...route, ...host }, signal);
		const where = hosts.length > 1 ? ` (${hostText(host)})` : "";
		results.push(
			problem === undefined
				? `bound at ${hostText(host)}`
				: `${problem.why}${where}`,
		);
		passed &&= problem === undefined;
		if (problem?.isRefusal) break;
	}
	return { passed, result: results.join("; ") };
}
