import type { SmppRoute } from "../route/smpp-route.ts";
import { defaultLimits, type SmppLimits } from "./smpp-limits.ts";

/** What a route is set to now. It is replaced in place; who waits reads it anew. */
export interface LiveRoute {
	route: SmppRoute;
	limits: SmppLimits;
}

export function toLiveRoute(
	route: SmppRoute,
	limits: Partial<SmppLimits>,
): LiveRoute {
	return {
		route,
		limits: {
			...defaultLimits,
			enquireLinkMs: route.enquireSeconds * 1_000,
			responseTimeoutMs: route.timeoutSeconds * 1_000,
			...limits,
		},
	};
}
