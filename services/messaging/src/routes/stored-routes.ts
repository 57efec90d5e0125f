import type { Db } from "@airtower/platform/database/database";
import { ConfigError } from "@airtower/platform/runtime/config";
import type { Logger } from "@airtower/platform/runtime/log";
import type { KeyRing } from "@airtower/platform/sealing/key-ring";
import {
	parseRouteSettings,
	settingsFromUrl,
} from "../operators/route/route-settings.ts";
import { parseSmppRoute } from "../operators/route/smpp-route.ts";
import {
	insertFirstRoute,
	listRouteRows,
	type RouteRow,
} from "../store/routes/routes.ts";
import { fixedRoutes, type Route, type Routes } from "./routes.ts";
import { openSettings, sealSettings } from "./sealed-settings.ts";

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

interface StoredRoutesOptions extends RoutesOptions {
	readonly ring: KeyRing;
}

/** A route that cannot be read is tried again after so long: a file may be missing for a moment, ms. */
const RETRY_MS = 10_000;

/** Routes that are data. Stores the one of the settings, unless the table has one of its code. */
async function openStoredRoutes(options: StoredRoutesOptions): Promise<Routes> {
	const { sql } = options;
	await storeSeed(options);
	let known: ReadonlyMap<string, Route> = new Map();
	const read = createReader(options);

	async function refresh(): Promise<void> {
		const rows = await listRouteRows(sql);
		const routes = rows
			.filter(({ state }) => state !== "removed")
			.flatMap((row) => {
				const before = known.get(row.code);
				if (before?.version === row.version) return before;
				return read(row) ?? before ?? [];
			});
		known = new Map(routes.map((route) => [route.code, route]));
	}

	await refresh();
	return {
		current: () => [...known.values()],
		refresh,
	};
}

async function storeSeed({
	sql,
	log,
	ring,
	seedUrl,
}: StoredRoutesOptions): Promise<void> {
	const { code, account } = parseSmppRoute(seedUrl);
	const settings = { ...settingsFromUrl(seedUrl), account };
	const isStored = await insertFirstRoute(sql, {
		code,
		kind: "smpp",
		state: "active",
		settings: sealSettings(ring, code, settings),
	});
	log.info(
		{ route: code },
		isStored
			? "stored the route of SMPP_ROUTE_URL; from now on it is changed by admin routes set"
			: "SMPP_ROUTE_URL is not used: the table of routes has a route of its code, which is changed by admin routes set",
	);
}

/** Reads rows; undefined for one that this process cannot use, of which the log says once why. */
function createReader({ log, ring }: StoredRoutesOptions) {
	const failures = new Map<string, { version: number; triedAt: number }>();
	return (row: RouteRow): Route | undefined => {
		const { code, state, version } = row;
		const failure = failures.get(code);
		const hasFailed = failure?.version === version;
		const now = performance.now();
		if (hasFailed && now < failure.triedAt + RETRY_MS) return undefined;
		try {
			const settings = parseRouteSettings(code, openSettings(ring, row));
			failures.delete(code);
			if (hasFailed)
				log.info({ route: code, version }, "a route can be read again");
			return { code, state, version, settings };
		} catch (err) {
			failures.set(code, { version, triedAt: now });
			if (!hasFailed)
				log.error(
					{ err, route: code, version },
					"a route cannot be read; it stays as this process knew it before",
				);
			return undefined;
		}
	};
}
