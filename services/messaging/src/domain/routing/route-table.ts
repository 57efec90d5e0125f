import { ROUTE_HEALTHS, type RouteHealth } from "../route-health.ts";
import type { RouteState } from "../route-state.ts";

/** Only an active route takes new messages. */
export interface RouteStanding {
	readonly code: string;
	readonly state: RouteState;
	readonly health: RouteHealth;
	/** Undefined where nobody said. */
	readonly cost?: RouteCost | undefined;
}

/** What an operator charges for a segment. */
export interface RouteCost {
	readonly amount: number;
	/** ISO 4217. */
	readonly currency: string;
}

/** What decides between routes of one priority. */
export const RULE_CHOICES = ["weight", "cost"] as const;
export type RuleChoice = (typeof RULE_CHOICES)[number];

/** Messages that fulfil all conditions of a rule may take its route. */
export interface RouteRule {
	/** E.164 with "+"; empty for every number. */
	readonly prefix: string;
	/** The sender's value as it is; null for every sender. */
	readonly sender: string | null;
	/** In lower case; null for every organization. */
	readonly organizationId: string | null;
	readonly route: string;
	/** Lower numbers first. */
	readonly priority: number;
	/** Share of the messages among routes of one priority, above 0. */
	readonly weight: number;
	readonly choose: RuleChoice;
}

/** The rules that share the messages of a group. */
export interface Candidates {
	/** Of one priority, by route; empty where no route is active. */
	readonly rules: readonly RouteRule[];
	/** Sum of their weights. */
	readonly weight: number;
}

/** The rules with the same conditions: the most specific one that a message fulfils decides, alone. */
export interface RuleGroup {
	/** By priority, then by route. */
	readonly rules: readonly RouteRule[];
	readonly candidates: Candidates;
	/** The candidates if the routes in trial were up. */
	readonly hoped: Candidates;
}

/** A route that may have a message. */
export interface RouteShare {
	readonly route: string;
	/** Its part of all such messages, above 0 to 1. */
	readonly share: number;
}

export function toShares({ rules, weight }: Candidates): RouteShare[] {
	return rules.map((rule) => ({
		route: rule.route,
		share: rule.weight / weight,
	}));
}

/** The rules of one version and the routes, ready for fast choices. */
export interface RouteTable {
	/** Of the rules; 0 before the first change. */
	readonly version: number;
	readonly rules: readonly RouteRule[];
	readonly routes: ReadonlyMap<string, RouteStanding>;
	/** By prefix, then by {@link groupKey}. */
	readonly groups: ReadonlyMap<string, ReadonlyMap<string, RuleGroup>>;
	/** Lengths of the prefixes, the longest first. */
	readonly prefixLengths: readonly number[];
}

const NONE: ReadonlySet<string> = new Set();

/** @param rules in any order; without any, every route has one for every message */
export function buildRouteTable(
	version: number,
	rules: readonly RouteRule[],
	routes: readonly RouteStanding[],
): RouteTable {
	const standings = new Map(routes.map((route) => [route.code, route]));
	const effective = rules.length > 0 ? rules : routes.map(toOpenRule);
	const groups = new Map<string, Map<string, RouteRule[]>>();
	for (const rule of effective) {
		const key = groupKey(rule.sender, rule.organizationId);
		const ofPrefix = groups.get(rule.prefix) ?? new Map<string, RouteRule[]>();
		groups.set(rule.prefix, ofPrefix);
		const group = ofPrefix.get(key) ?? [];
		ofPrefix.set(key, group);
		group.push(rule);
	}
	const lengths = new Set([...groups.keys()].map((prefix) => prefix.length));
	return {
		version,
		rules,
		routes: standings,
		groups: mapValues(groups, (ofPrefix) =>
			mapValues(ofPrefix, (group) => toGroup(group, standings)),
		),
		prefixLengths: [...lengths].toSorted((a, b) => b - a),
	};
}

/** The routes that take new messages now. */
export function takingRoutes({ groups }: RouteTable): ReadonlySet<string> {
	const all = [...groups.values()].flatMap((group) => [...group.values()]);
	return new Set(
		all.flatMap(({ candidates }) => candidates.rules.map(({ route }) => route)),
	);
}

/** No organization id has a space. */
export function groupKey(
	sender: string | null,
	organizationId: string | null,
): string {
	return `${organizationId ?? ""} ${sender ?? ""}`;
}

function toOpenRule({ code }: RouteStanding): RouteRule {
	const everything = { prefix: "", sender: null, organizationId: null };
	const choose = "weight" as const;
	return { ...everything, route: code, priority: 1, weight: 1, choose };
}

function toGroup(
	group: readonly RouteRule[],
	routes: RouteTable["routes"],
): RuleGroup {
	const rules = group.toSorted(
		(a, b) => a.priority - b.priority || compare(a.route, b.route),
	);
	const candidates = findCandidates(rules, routes);
	const hasTrial = rules.some(
		({ route }) => routes.get(route)?.health === "trial",
	);
	const hoped = hasTrial
		? findCandidates(rules, routes, { isTrialUp: true })
		: candidates;
	return { rules, candidates, hoped };
}

/**
 * Of the rules whose routes are active those of the best health, of these those of the first priority, and of these,
 * where one of them chooses by cost, the cheapest.
 * @param rules of one group, by priority, then by route
 */
export function findCandidates(
	rules: readonly RouteRule[],
	routes: RouteTable["routes"],
	{ without = NONE, isTrialUp = false } = {},
): Candidates {
	const healthOf = ({ route }: RouteRule): RouteHealth => {
		const health = routes.get(route)?.health ?? "down";
		return health === "trial" && isTrialUp ? "up" : health;
	};
	const active = rules.filter((rule) => isActive(rule, routes, without));
	const best = ROUTE_HEALTHS.find((health) =>
		active.some((rule) => healthOf(rule) === health),
	);
	const healthy = active.filter((rule) => healthOf(rule) === best);
	const first = healthy.filter(
		({ priority }) => priority === healthy[0]?.priority,
	);
	const chosen = choosesByCost(first) ? cheapest(first, routes) : first;
	const weight = chosen.reduce((sum, rule) => sum + rule.weight, 0);
	return { rules: chosen, weight };
}

function isActive(
	{ route }: RouteRule,
	routes: RouteTable["routes"],
	without: ReadonlySet<string>,
): boolean {
	return routes.get(route)?.state === "active" && !without.has(route);
}

/** One rule decides for all of its priority. */
export function choosesByCost(rules: readonly RouteRule[]): boolean {
	return rules.some(({ choose }) => choose === "cost");
}

/** All where no route has a cost, or their currencies differ: amounts of two currencies cannot be compared. */
function cheapest(
	rules: readonly RouteRule[],
	routes: RouteTable["routes"],
): readonly RouteRule[] {
	const costs = rules.flatMap(({ route }) => routes.get(route)?.cost ?? []);
	if (new Set(costs.map(({ currency }) => currency)).size !== 1) return rules;
	const lowest = Math.min(...costs.map(({ amount }) => amount));
	return rules.filter(
		({ route }) => routes.get(route)?.cost?.amount === lowest,
	);
}

function compare(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}

function mapValues<K, A, B>(
	map: ReadonlyMap<K, A>,
	change: (value: A) => B,
): Map<K, B> {
	return new Map([...map].map(([key, value]) => [key, change(value)]));
}
