/**
 * What a route does with what it is given. "up": it sends. "trial": it may send again, which a few real messages are to
 * show. "down": it does not send, so that messages take another route where there is one. The best comes first.
 */
export const ROUTE_HEALTHS = ["up", "trial", "down"] as const;
export type RouteHealth = (typeof ROUTE_HEALTHS)[number];

/** Why a route is down, or was before its trial. That an operator wants less traffic is no illness. */
export const ILLNESSES = {
	not_connected: "no connection is up",
	no_response: "submits have no response",
	errors: "more submits fail than usual",
	slow: "responses take longer than usual",
	no_receipts: "receipts do not come",
} as const;
export type Illness = keyof typeof ILLNESSES;
