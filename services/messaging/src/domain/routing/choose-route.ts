import {
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
export type RouteRefusal = "no_route" | "no_active_route";

export type RouteChoice =
	| { readonly route: string }
	| { readonly refusal: RouteRefusal };

/**
 * The longest prefix decides, within it rules for the sender, then rules for the organization, then the priority, then
 * the weight.
 * @param messageId a UUID that ends at random; the same message always takes the same one of several routes
 */
export function chooseRoute(
	table: RouteTable,
	request: RouteRequest,
	messageId: string,
): RouteChoice {
	const group = findGroup(table, request);
	if (group !== undefined) return chooseIn(group, messageId);
	const isClosed = table.rules.length > 0;
	return { refusal: isClosed ? "no_route" : "no_active_route" };
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

function chooseIn(
	{ candidates, weight }: RuleGroup,
	messageId: string,
): RouteChoice {
	const [only] = candidates;
	if (only === undefined) return { refusal: "no_active_route" };
	const chosen =
		candidates.length === 1 ? only : draw(candidates, weight, messageId);
	return { route: chosen.route };
}

function draw(
	candidates: readonly RouteRule[],
	weight: number,
	messageId: string,
): RouteRule {
	let left = drawnFrom(messageId) * weight;
	for (const candidate of candidates) {
		left -= candidate.weight;
		if (left < 0) return candidate;
	}
	throw new RangeError("The weights do not add up.");
}

/** From 0 to below 1, by the last 32 bits of the id. */
function drawnFrom(messageId: string): number {
	return Number.parseInt(messageId.slice(-8), 16) / 2 ** 32;
}
