/**
 * What a route does with what it is given. "up": it sends. "trial": it may send again, which a few real messages are to
 * show. "down": it does not send, so that messages take another route where there is one.
 */
export const ROUTE_HEALTHS = ["up", "trial", "down"] as const;
export type RouteHealth = (typeof ROUTE_HEALTHS)[number];
