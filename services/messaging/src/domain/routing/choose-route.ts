import {
	type Candidates,
	findCandidates,
	groupKey,
	type RouteRule,
	type RouteTable,
	type RuleGroup,
} from "./route-table.ts";

/** What a route is chosen by. */
export interface RouteRequest {
	/** E.164 with "+". */
	readonly recipient: string;
	/** The sender's value. */
	readonly sender: string;
	/** In lower case. */
	readonly organizationId: string;
}

/**
 * `no_route`: there are rules, and none is for such a message. `no_active_route`: no route that may take it is active,
 * so that it may be sent later.
 */
type RouteRefusal = "no_route" | "no_active_route";

export type RouteChoice =
	| { readonly route: string }
	| { readonly refusal: RouteRefusal };

export interface ChoiceOptions {
	/** Routes that count as not there. */
	readonly without?: ReadonlySet<string>;
	/**
	 * Whether a route in trial may have the message although others are up; by default it may not. Asked once at most, for
	 * the route that the message would take were it up.
	 */
	readonly mayTry?: (route: string) => boolean;
}

/**
 * The longest prefix decides, within it rules for the sender, then rules for the organization, then the health of the
 * routes, then the priority, then the weight or the cost.
 * @param messageId a UUID that ends at random; the same message always takes the same one of several routes
 */
export function chooseRoute(
	table: RouteTable,
	request: RouteRequest,
	messageId: string,
	{ without, mayTry = () => false }: ChoiceOptions = {},
): RouteChoice {
	const group = findGroup(table, request);
	if (group === undefined)
		return {
			refusal: table.rules.length > 0 ? "no_route" : "no_active_route",
		};
	const { candidates, withTrials } = candidatesOf(table, group, without);
	const chosen = draw(candidates, messageId);
	if (chosen === undefined) return { refusal: "no_active_route" };
	const wanted = draw(withTrials, messageId) ?? chosen;
	const isTrial =
		!candidates.rules.includes(wanted) &&
		table.routes.get(wanted.route)?.health === "trial";
	const { route } = isTrial && mayTry(wanted.route) ? wanted : chosen;
	return { route };
}

function candidatesOf(
	{ routes }: RouteTable,
	group: RuleGroup,
	without: ReadonlySet<string> = new Set(),
): Pick<RuleGroup, "candidates" | "withTrials"> {
	if (without.size === 0) return group;
	const { rules } = group;
	return {
		candidates: findCandidates(rules, routes, { without }),
		withTrials: findCandidates(rules, routes, { without, isTrialUp: true }),
	};
}

/** The most specific group of rules that the message fulfils. */
export function findGroup(
	{ groups, prefixLengths }: RouteTable,
	{ recipient, sender, organizationId }: RouteRequest,
): RuleGroup | undefined {
	for (const length of prefixLengths) {
		const ofPrefix = groups.get(recipient.slice(0, length));
		if (ofPrefix === undefined) continue;
		const group =
			ofPrefix.get(groupKey(sender, organizationId)) ??
			ofPrefix.get(groupKey(sender, null)) ??
			ofPrefix.get(groupKey(null, organizationId)) ??
			ofPrefix.get(groupKey(null, null));
		if (group !== undefined) return group;
	}
	return undefined;
}

/** Undefined where there is none. */
function draw(
	{ rules, weight }: Candidates,
	messageId: string,
): RouteRule | undefined {
	if (rules.length <= 1) return rules[0];
	let left = drawnFrom(messageId) * weight;
	for (const rule of rules) {
		left -= rule.weight;
		if (left < 0) return rule;
	}
	throw new RangeError("The weights do not add up.");
}

/** From 0 to below 1, by the last 32 bits of the id. */
function drawnFrom(messageId: string): number {
	return Number.parseInt(messageId.slice(-8), 16) / 2 ** 32;
}
