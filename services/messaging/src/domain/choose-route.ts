import type { RouteState } from "./route-state.ts";

interface Candidate {
	readonly code: string;
	readonly state: RouteState;
}

/**
 * The route that new messages take; undefined while none is active.
 * @param routes in the order in which they were added
 * @param preferred code of the route that takes them while it is active; after it the first active one does
 */
export function chooseRoute<Route extends Candidate>(
	routes: readonly Route[],
	preferred: string,
): Route | undefined {
	const active = routes.filter(({ state }) => state === "active");
	return active.find(({ code }) => code === preferred) ?? active[0];
}
