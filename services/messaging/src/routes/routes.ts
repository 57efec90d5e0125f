import type { RouteState } from "../domain/route-state.ts";
import type { OperatorRoute } from "../operators/route/operator-route.ts";

/**
 * So long after a change of a route every process goes by it, s: each reads the routes every second, and one may be
 * late.
 */
export const KNOWN_AFTER_S = 5;

/** An operator route as a process knows it. */
export interface Route {
	readonly code: string;
	readonly state: RouteState;
	/** Differs after each change. */
	readonly version: number;
	readonly settings: OperatorRoute;
}

export interface Routes {
	/** In the order in which they were added, without those that were removed. */
	current(): readonly Route[];
	/** Reads what has changed since; a route that cannot be read stays as it was. */
	refresh(): Promise<void>;
}

/** Routes that are not data: those of the settings, which never change. */
export function fixedRoutes(settings: readonly OperatorRoute[]): Routes {
	const routes = settings.map((settings) => ({
		code: settings.code,
		state: "active" as const,
		version: 1,
		settings,
	}));
	return {
		current: () => routes,
		refresh: async () => {},
	};
}
