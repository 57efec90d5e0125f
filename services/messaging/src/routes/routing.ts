import { isDeepStrictEqual } from "node:util";
import type { Db } from "@airtower/platform/database/database";
import type { RouteHealth } from "../domain/route-health.ts";
import {
	buildRouteTable,
	type RouteStanding,
	type RouteTable,
} from "../domain/routing/route-table.ts";
import {
	listRouteHealth,
	type RouteHealthRow,
} from "../store/routes/route-connections.ts";
import {
	findRulesVersion,
	listRouteRules,
} from "../store/routes/route-rules.ts";
import type { Route, Routes } from "./routes.ts";

/** The routes, and the rules by which a process chooses between them. */
export interface Routing extends Routes {
	/** Rules and routes of one moment. */
	table(): RouteTable;
	/** Whether a route in trial may have a message now; about one a second, and one that may counts as given. */
	mayTry(route: string): boolean;
}

/** Looks for rules and routes of one moment; while rules are changed between them it looks again. */
const MAX_LOOKS = 5;

/** A refresh reads the rules too. */
export async function openRouting(sql: Db, routes: Routes): Promise<Routing> {
	let table = buildRouteTable(0, [], []);
	let reading: Promise<void> = Promise.resolve();

	async function read(): Promise<void> {
		for (let look = 1; look <= MAX_LOOKS; look++) {
			const version = await findRulesVersion(sql);
			await routes.refresh();
			if ((await findRulesVersion(sql)) !== version) continue;
			const rules =
				version === table.version
					? table.rules
					: await listRouteRules(sql, version);
			const health = toHealth(await listRouteHealth(sql));
			const current = routes
				.current()
				.map((route) => toStanding(route, health.get(route.code)));
			if (!isUpToDate(table, version, current))
				table = buildRouteTable(version, rules, current);
			return;
		}
	}

	const routing: Routing = {
		...routes,
		table: () => table,
		mayTry: createTrials(),
		refresh: () => {
			reading = reading.then(read, read);
			return reading;
		},
	};
	await routing.refresh();
	return routing;
}

function isUpToDate(
	table: RouteTable,
	version: number,
	routes: readonly RouteStanding[],
): boolean {
	return (
		table.version === version &&
		isDeepStrictEqual([...table.routes.values()], routes)
	);
}

function toHealth(
	rows: readonly RouteHealthRow[],
): ReadonlyMap<string, RouteHealth> {
	return new Map(rows.map(({ route, health }) => [route, health]));
}

/** A route of which nobody has an opinion yet is up: what is accepted for it waits. */
function toStanding(
	{ code, state, settings }: Route,
	health: RouteHealth = "up",
): RouteStanding {
	return { code, state, health, cost: settings.cost };
}

/** Shortest time between two messages of this process for one route in trial, ms. */
const TRY_EVERY_MS = 1_000;

/** Returns whether a route in trial may have a message now; one that may counts as given. */
function createTrials(): (route: string) => boolean {
	const triedAt = new Map<string, number>();
	return (route) => {
		const now = performance.now();
		const before = triedAt.get(route) ?? Number.NEGATIVE_INFINITY;
		if (now - before < TRY_EVERY_MS) return false;
		triedAt.set(route, now);
		return true;
	};
}
