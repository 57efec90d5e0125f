import {
	chooseRoute,
	findGroup,
	type RouteChoice,
	type RouteRequest,
} from "./choose-route.ts";
import { type ExplainedStep, explainCandidates } from "./explain-candidates.ts";
import {
	type RouteRule,
	type RouteShare,
	type RouteTable,
	type RuleGroup,
	toShares,
} from "./route-table.ts";

/** Why a route did not get the message, the nearer to the choice the earlier. */
const LEFT_OUT = {
	paused: "The route is paused.",
	draining: "The route is drained: it takes nothing new.",
	removed: "A rule names the route, which was removed.",
	down: "The route is down, and others are not.",
	trial:
		"The route was down and is tried: it takes about one message a second of each process that accepts.",
	other_share: "By its weight another route has this message.",
	higher_cost: "A route of the same priority costs less.",
	later_priority: "A route of an earlier priority takes messages.",
	less_specific: "A rule for the sender or the organization decides.",
	shorter_prefix: "A rule for a longer prefix decides.",
	other_sender: "Its rules for this number are for other senders.",
	other_organization: "Its rules for this number are for other organizations.",
	no_rule: "No rule for this number names the route.",
} as const;

type LeftOutReason = keyof typeof LEFT_OUT;
const NEARNESS = Object.keys(LEFT_OUT) as LeftOutReason[];

interface Explanation {
	/** Undefined while the message's id would decide between several candidates, and none was given. */
	readonly choice: RouteChoice | undefined;
	/** What decided, in the order of the choice. */
	readonly steps: readonly ExplainedStep[];
	/** Routes that may have the message. */
	readonly candidates: readonly RouteShare[];
	readonly leftOut: readonly {
		readonly route: string;
		readonly reason: LeftOutReason;
		readonly text: string;
	}[];
}

/** @param messageId of a message that was or is to be sent, where its choice is wanted */
export function explainRoute(
	table: RouteTable,
	request: RouteRequest,
	messageId: string | undefined,
): Explanation {
	const group = findGroup(table, request);
	const candidates = group?.candidates.rules ?? [];
	const isOpen = messageId === undefined && candidates.length > 1;
	const choice = isOpen
		? undefined
		: chooseRoute(table, request, messageId ?? "");
	return {
		choice,
		steps: explainSteps(table, group, choice),
		candidates: group === undefined ? [] : toShares(group.candidates),
		leftOut: [...new Set([...table.routes.keys(), ...routesOf(group)])]
			.filter((route) => !isTaken(route, choice, candidates))
			.map((route) => {
				const reason = reasonFor(table, request, group, route);
				return { route, reason, text: LEFT_OUT[reason] };
			}),
	};
}

function routesOf(group: RuleGroup | undefined): string[] {
	return (group?.rules ?? []).map(({ route }) => route);
}

function isTaken(
	route: string,
	choice: RouteChoice | undefined,
	candidates: readonly RouteRule[],
): boolean {
	if (choice === undefined)
		return candidates.some((candidate) => candidate.route === route);
	return "route" in choice && choice.route === route;
}

function explainSteps(
	table: RouteTable,
	group: RuleGroup | undefined,
	choice: RouteChoice | undefined,
): ExplainedStep[] {
	const [first] = group?.rules ?? [];
	if (table.rules.length === 0)
		return [
			{
				step: "rules",
				text: "There are no rules: every active route takes any number.",
			},
			...explainCandidates(table, group, choice),
		];
	if (first === undefined)
		return [
			{
				step: "prefix",
				text: "No rule is for this number, sender and organization.",
			},
		];
	const { prefix, sender, organizationId } = first;
	return [
		{
			step: "prefix",
			text:
				prefix === ""
					? "The rules for every number decide: none for a prefix of it applies."
					: `${prefix} is the longest prefix with a rule that applies.`,
		},
		{
			step: "sender",
			text:
				sender === null
					? "No rule of the prefix that applies names the sender."
					: `The rules for the sender ${sender} decide.`,
		},
		{
			step: "organization",
			text:
				organizationId === null
					? "No rule of these that applies names the organization."
					: `The rules for the organization ${organizationId} decide.`,
		},
		...explainCandidates(table, group, choice),
	];
}

function reasonFor(
	table: RouteTable,
	request: RouteRequest,
	group: RuleGroup | undefined,
	route: string,
): LeftOutReason {
	const inGroup = group?.rules.filter((rule) => rule.route === route) ?? [];
	const elsewhere = table.rules.filter(
		(rule) => rule.route === route && request.recipient.startsWith(rule.prefix),
	);
	const reasons = [
		...inGroup.map((rule) => reasonInGroup(table, group, rule)),
		...(inGroup.length > 0
			? []
			: elsewhere.map((rule) => reasonElsewhere(request, group, rule))),
	];
	return NEARNESS.find((reason) => reasons.includes(reason)) ?? "no_rule";
}

function reasonInGroup(
	{ routes }: RouteTable,
	group: RuleGroup | undefined,
	{ route, priority }: RouteRule,
): LeftOutReason {
	const state = routes.get(route)?.state ?? "removed";
	if (state !== "active") return state;
	const [first] = group?.candidates.rules ?? [];
	const health = routes.get(route)?.health;
	const isAsHealthy = health === routes.get(first?.route ?? "")?.health;
	if (!isAsHealthy && (health === "down" || health === "trial")) return health;
	if (priority !== first?.priority) return "later_priority";
	const isCheap = group?.candidates.rules.some((one) => one.route === route);
	return isCheap ? "other_share" : "higher_cost";
}

function reasonElsewhere(
	{ sender, organizationId }: RouteRequest,
	group: RuleGroup | undefined,
	rule: RouteRule,
): LeftOutReason {
	if (rule.sender !== null && rule.sender !== sender) return "other_sender";
	if (rule.organizationId !== null && rule.organizationId !== organizationId)
		return "other_organization";
	const isShorter = rule.prefix.length < (group?.rules[0]?.prefix.length ?? 0);
	return isShorter ? "shorter_prefix" : "less_specific";
}
