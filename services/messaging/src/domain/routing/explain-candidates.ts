import type { RouteHealth } from "../route-health.ts";
import type { RouteChoice } from "./choose-route.ts";
import {
	choosesByCost,
	type RouteRule,
	type RouteTable,
	type RuleGroup,
} from "./route-table.ts";

export interface ExplainedStep {
	readonly step: string;
	readonly text: string;
}

const IN_WORDS: Record<RouteHealth, string> = {
	up: "up",
	trial: "in trial",
	down: "down",
};
const FIRST: Record<RouteHealth, string> = {
	up: "Routes that are up go first.",
	trial: "None is up, and those in trial go first.",
	down: "None is up or in trial: the message waits, unless one comes up.",
};

/** What decides between the routes of a group: health, priority, cost, and weight. */
export function explainCandidates(
	table: RouteTable,
	group: RuleGroup | undefined,
	choice: RouteChoice | undefined,
): ExplainedStep[] {
	const [first] = group?.candidates.rules ?? [];
	if (group === undefined || first === undefined)
		return [{ step: "priority", text: "None of their routes is active." }];
	const healthOf = ({ route }: RouteRule) => table.routes.get(route)?.health;
	const active = group.rules.filter(
		({ route }) => table.routes.get(route)?.state === "active",
	);
	const health = healthOf(first) ?? "down";
	const isAsHealthy = (rule: RouteRule) => healthOf(rule) === health;
	const taking = active.every(isAsHealthy) ? "active" : IN_WORDS[health];
	const equals = active.filter(
		(rule) => rule.priority === first.priority && isAsHealthy(rule),
	);
	return [
		...explainHealth(active, healthOf, health),
		{
			step: "priority",
			text: `Priority ${first.priority} is the first of which a route is ${taking}.`,
		},
		...explainCost(table, equals),
		...explainShares(group, choice),
	];
}

function explainHealth(
	active: readonly RouteRule[],
	healthOf: (rule: RouteRule) => RouteHealth | undefined,
	best: RouteHealth,
): ExplainedStep[] {
	const ill = active.flatMap((rule) => {
		const health = healthOf(rule) ?? "down";
		return health === "up" ? [] : [`${rule.route} is ${IN_WORDS[health]}`];
	});
	if (ill.length === 0) return [];
	return [{ step: "health", text: `${ill.join(", ")}. ${FIRST[best]}` }];
}

function explainCost(
	{ routes }: RouteTable,
	equals: readonly RouteRule[],
): ExplainedStep[] {
	if (equals.length === 1 || !choosesByCost(equals)) return [];
	const costs = equals.map(({ route }) => ({
		route,
		cost: routes.get(route)?.cost,
	}));
	const currencies = new Set(costs.flatMap(({ cost }) => cost?.currency ?? []));
	const told = costs.map(({ route, cost }) =>
		cost === undefined
			? `${route} has no cost`
			: `${route} costs ${cost.amount} ${cost.currency}`,
	);
	const decides =
		currencies.size === 1
			? "The cheapest goes first."
			: "Costs in one currency are missing, so that the weights decide.";
	return [{ step: "cost", text: `${told.join(", ")}. ${decides}` }];
}

function explainShares(
	{ candidates: { rules, weight: whole } }: RuleGroup,
	choice: RouteChoice | undefined,
): ExplainedStep[] {
	if (rules.length === 1) return [];
	const shares = rules.map(
		({ route, weight }) => `${route} ${weight} of ${whole}`,
	);
	const drawn =
		choice !== undefined && "route" in choice
			? `The message's id decides for ${choice.route}.`
			: "The message's id decides.";
	return [{ step: "weight", text: `${shares.join(", ")}. ${drawn}` }];
}
