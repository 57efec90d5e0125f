import type { Db } from "@airtower/platform/database/database";
import { ConfigError } from "@airtower/platform/runtime/config";
import type { Logger } from "@airtower/platform/runtime/log";
import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import { parseSmppRoute } from "../operators/route/smpp-route.ts";
import { listRouteRows } from "../store/routes/routes.ts";
import { fixedRoutes, type Routes } from "./routes.ts";
import { openStoredRoutes } from "./stored-routes.ts";

interface RoutesOptions {
	readonly sql: Db;
	readonly log: Logger;
	readonly ring: KeyRing | undefined;
	/** `SMPP_ROUTE_URL`. */
	readonly seedUrl: string;
}

/**
 * The routes of the database where the process has keys, otherwise the one of the settings alone.
 * @throws ConfigError where the database has routes that were sealed under keys which the process does not have
 */
export async function openRoutes({
	ring,
	...options
}: RoutesOptions): Promise<Routes> {
	if (ring !== undefined) return openStoredRoutes({ ...options, ring });
	if ((await listRouteRows(options.sql)).length > 0)
		throw new ConfigError(
			"ENCRYPTION_KEYS is not set, and the database has routes that are sealed: give messaging the keys that it had.",
		);
	return fixedRoutes([parseSmppRoute(options.seedUrl)]);
}
