import { createDispatcher } from "../../src/dispatching/dispatcher.ts";
import type { RouteHealth } from "../../src/domain/route-health.ts";
import type { RouteState } from "../../src/domain/route-state.ts";
import {
	buildRouteTable,
	type RouteRule,
	type RouteTable,
} from "../../src/domain/routing/route-table.ts";
import type { Routing } from "../../src/routes/routing.ts";
import {
	organizationWith,
	startTestMessaging,
	type TestMessaging,
	type TestOverrides,
	type TestReplica,
} from "./messaging.ts";
import {
	createScriptedOperator,
	type ScriptedOperator,
} from "./scripted-operator.ts";

/** Operators of two routes, `first` before `second` for every number, on one database. */
export interface TwoRoutes {
	readonly messaging: TestMessaging;
	readonly first: TestReplica;
	readonly second: TestReplica;
	readonly organization: string;
	/** Takes rules and standings in place of those before. */
	set(change: Partial<Standing>): void;
	close(): Promise<void>;
}

interface Standing {
	readonly first: RouteHealth | RouteState;
	readonly second: RouteHealth | RouteState;
	readonly rules: readonly Partial<RouteRule>[];
	readonly mayTry: Routing["mayTry"];
}

const BOTH = [
	{ route: "first", priority: 1 },
	{ route: "second", priority: 2 },
];
const QUOTA = 100_000;

export async function startTwoRoutes(
	overrides: TestOverrides = {},
): Promise<TwoRoutes> {
	let standing: Standing = {
		first: "up",
		second: "up",
		rules: BOTH,
		mayTry: () => false,
	};
	let version = 1;
	let table = toTable(version, standing);
	const routes: Routing = {
		current: () => [],
		refresh: async () => {},
		table: () => table,
		mayTry: (route) => standing.mayTry(route),
	};
	const messaging = await startTestMessaging({
		...overrides,
		routes,
		operator: createScriptedOperator("first", "account-1"),
	});
	const operator = createScriptedOperator("second", "account-2");
	return {
		messaging,
		first: messaging,
		second: addOperator(messaging, operator),
		organization: await organizationWith(messaging, QUOTA),
		set(change) {
			standing = { ...standing, ...change };
			if (change.rules !== undefined) version++;
			table = toTable(version, standing);
		},
		close: messaging.close,
	};
}

/** In the same process as the others. */
export function addOperator(
	{ ctx }: Pick<TestReplica, "ctx">,
	operator: ScriptedOperator,
): TestReplica {
	const dispatcher = createDispatcher(ctx, operator);
	ctx.dispatchers.push(dispatcher);
	operator.start({
		onReceipt: ctx.receiptIntake.add,
		onMessage: ctx.inboundIntake.add,
	});
	return { ctx, operator, dispatcher };
}

function toTable(
	version: number,
	{ rules, first, second }: Standing,
): RouteTable {
	const routes = Object.entries({ first, second }).map(([code, standing]) => ({
		code,
		state: isHealth(standing) ? ("active" as const) : standing,
		health: isHealth(standing) ? standing : ("up" as const),
	}));
	const all = rules.map(
		(rule): RouteRule => ({
			prefix: "",
			sender: null,
			organizationId: null,
			route: "first",
			priority: 1,
			weight: 1,
			choose: "weight",
			...rule,
		}),
	);
	return buildRouteTable(version, all, routes);
}

function isHealth(standing: RouteHealth | RouteState): standing is RouteHealth {
	return standing === "up" || standing === "trial" || standing === "down";
}
