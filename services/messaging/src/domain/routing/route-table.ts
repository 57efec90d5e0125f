import { ROUTE_HEALTHS, type RouteHealth } from "../route-health.ts";
import type { RouteState } from "../route-state.ts";

/** What a choice needs to know of a route. Only an active route takes new messages. */
export interface RouteStanding {
	readonly code: string;
	readonly state: RouteState;
	readonly health: RouteHealth;
	/** Undefined when the route's settings name none. */
	readonly cost?: RouteCost | undefined;
}

/** What an operator charges for a segment. */
export interface RouteCost {
	readonly amount: number;
	/** ISO 4217. */
	readonly currency: string;
}

const MICROS = 1e6;

/** What a segment costs, in millionths of the currency. */
export function toMicros({ amount }: RouteCost): bigint {
	return BigInt(Math.round(amount * MICROS));
}

/** What decides between routes of one priority. */
export const RULE_CHOICES = ["weight", "cost"] as const;
type RuleChoice = (typeof RULE_CHOICES)[number];

/** Messages that fulfil all conditions of a rule may take its route. */
export interface RouteRule {
	/** E.164 with "+"; empty for every number. */
	readonly prefix: string;
	/** The sender ID, compared exactly; null for every sender. */
	readonly sender: string | null;
	/** In lower case; null for every organization. */
	readonly organizationId: string | null;
	readonly route: string;
	/** Lower numbers go first. */
	readonly priority: number;
	/** Above 0; routes of one priority share the messages in proportion to it. */
	readonly weight: number;
	readonly choose: RuleChoice;
}

/** The rules of a group that share its messages now. */
export interface Candidates {
	/** All of one priority, sorted by route; empty when no route is active. */
	readonly rules: readonly RouteRule[];
	/** Sum of their weights. */
	readonly weight: number;
}

/** All rules with the same conditions. Of the groups that a message fits, the most specific one alone decides. */
export interface RuleGroup {
	/** Sorted by priority, then by route. */
	readonly rules: readonly RouteRule[];
	readonly candidates: Candidates;
	/** What the candidates would be if the routes in trial were up. */
	readonly withTrials: Candidates;
}

/** A route that a message may take. */
export interface RouteShare {
	readonly route: string;
	/** Its share of all such messages: above 0, at most 1. */
	readonly share: number;
}

export function toShares({ rules, weight }: Candidates): RouteShare[] {
	return rules.map((rule) => ({
		route: rule.route,
		share: rule.weight / weight,
	}));
}

/** The rules of one version and the routes, indexed so that a choice is fast. */
export interface RouteTable {
	/** The version of the rules; 0 before their first change. */
	readonly version: number;
	readonly rules: readonly RouteRule[];
	readonly routes: ReadonlyMap<string, RouteStanding>;
	/** Keyed by prefix, then by {@link groupKey}. */
	readonly groups: ReadonlyMap<string, ReadonlyMap<string, RuleGroup>>;
	/** Lengths of the prefixes, the longest first. */
	readonly prefixLengths: readonly number[];
}

const NONE: ReadonlySet<string> = new Set();

/** @param rules in any order; when there are none, every route may take every message */
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

/** The space is an unambiguous separator: no organization id has one. */
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
	const withTrials = hasTrial
		? findCandidates(rules, routes, { isTrialUp: true })
		: candidates;
	return { rules, candidates, withTrials };
}

/**
 * Takes the rules whose routes are active. Keeps those with the best health, then those of the first priority, then,
 * if one of these chooses by cost, the cheapest.
 * @param rules of one group, sorted by priority, then by route
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

/** One rule that chooses by cost decides for all rules of its priority. */
export function choosesByCost(rules: readonly RouteRule[]): boolean {
	return rules.some(({ choose }) => choose === "cost");
}

/** Returns all rules when no route has a cost or their currencies differ: such amounts cannot be compared. */
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
