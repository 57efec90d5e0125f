import type { RouteState } from "../route-state.ts";

/** Only an active route takes new messages. */
export interface RouteStanding {
	readonly code: string;
	readonly state: RouteState;
}

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
}

/** The rules with the same conditions: the most specific one that a message fulfils decides, alone. */
export interface RuleGroup {
	/** By priority, then by route. */
	readonly rules: readonly RouteRule[];
	/** Those of the first priority of which a route is active; empty when none is. */
	readonly candidates: readonly RouteRule[];
	/** Sum of the candidates' weights. */
	readonly weight: number;
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
		all.flatMap(({ candidates }) => candidates.map(({ route }) => route)),
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
	return { ...everything, route: code, priority: 1, weight: 1 };
}

function toGroup(
	group: readonly RouteRule[],
	routes: RouteTable["routes"],
): RuleGroup {
	const rules = group.toSorted(
		(a, b) => a.priority - b.priority || compare(a.route, b.route),
	);
	const active = rules.filter(
		({ route }) => routes.get(route)?.state === "active",
	);
	const candidates = active.filter(
		({ priority }) => priority === active[0]?.priority,
	);
	const weight = candidates.reduce((sum, one) => sum + one.weight, 0);
	return { rules, candidates, weight };
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
