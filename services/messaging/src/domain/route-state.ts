export const ROUTE_STATES = [
	"active",
	"paused",
	"draining",
	"removed",
] as const;

export type RouteState = (typeof ROUTE_STATES)[number];

/** A removed route comes back when it is added again. */
export const NEXT_ROUTE_STATES: Record<RouteState, readonly RouteState[]> = {
	active: ["paused", "draining"],
	paused: ["active", "draining", "removed"],
	draining: ["active", "paused", "removed"],
	removed: ["active", "paused"],
};
