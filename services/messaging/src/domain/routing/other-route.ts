import { type ChoiceOptions, chooseRoute, findGroup } from "./choose-route.ts";
import type { RouteStanding, RouteTable } from "./route-table.ts";

/** A message that a route has, as a choice between routes needs it. */
export interface RoutedMessage {
	readonly messageId: string;
	readonly recipient: string;
	readonly senderValue: string;
	readonly organizationId: string;
}

/** True for a route whose messages are not to wait for it. */
export function isLeft({ state, health }: RouteStanding): boolean {
	return state === "paused" || health !== "up";
}

/** What a route throttles goes by others once it has throttled for so long, ms. */
const OVERLOADED_AFTER_MS = 10_000;

/** @param throttledSince undefined for a route that does not throttle */
export function isOverloaded(
	throttledSince: Date | undefined,
	now: number,
): boolean {
	if (throttledSince === undefined) return false;
	return now - throttledSince.getTime() > OVERLOADED_AFTER_MS;
}

/** True where rules name another route than these that takes messages and sends, or is in trial. */
export function hasOtherRoute(
	{ groups, routes }: RouteTable,
	route: string,
	without: ReadonlySet<string>,
): boolean {
	const others = new Set(
		[...routes.values()]
			.filter(({ state, health }) => state === "active" && health !== "down")
			.map(({ code }) => code)
			.filter((code) => code !== route && !without.has(code)),
	);
	if (others.size === 0) return false;
	return [...groups.values()].some((ofPrefix) =>
		[...ofPrefix.values()].some(({ rules }) =>
			rules.some((rule) => others.has(rule.route)),
		),
	);
}

/**
 * The route that the rules choose for the message now, if that is another than its present one, and sends; one in trial
 * only where `mayTry` lets it have the message.
 */
export function findOtherRoute(
	table: RouteTable,
	message: RoutedMessage,
	present: string,
	{ without, mayTry }: Required<ChoiceOptions>,
): string | undefined {
	let onTrial: string | undefined;
	const choice = chooseRoute(table, toRequest(message), message.messageId, {
		without,
		mayTry: (route) => {
			const may = mayTry(route);
			if (may) onTrial = route;
			return may;
		},
	});
	if (!("route" in choice) || choice.route === present) return undefined;
	const { route } = choice;
	const health = table.routes.get(route)?.health;
	if (health === "up" || route === onTrial) return route;
	return health === "trial" && mayTry(route) ? route : undefined;
}

/** The route that the rules choose for the message now, whatever it was refused by; undefined where none is active. */
export function findFirstRoute(
	table: RouteTable,
	message: RoutedMessage,
): string | undefined {
	const choice = chooseRoute(table, toRequest(message), message.messageId);
	return "route" in choice ? choice.route : undefined;
}

/**
 * Where a message waits that no active route may take: for its present one, or where that was removed for one that the
 * rules name, a paused one before one that is drained. For nobody delivers on a removed route, or moves what waits there.
 */
export function findRouteToWaitFor(
	table: RouteTable,
	message: RoutedMessage,
	present: string,
): string {
	if (table.routes.has(present)) return present;
	const { rules = [] } = findGroup(table, toRequest(message)) ?? {};
	const named = rules.flatMap(({ route }) => table.routes.get(route) ?? []);
	const other = named.find(({ state }) => state === "paused") ?? named[0];
	return other?.code ?? present;
}

function toRequest(message: RoutedMessage) {
	const { recipient, senderValue: sender, organizationId } = message;
	return { recipient, sender, organizationId };
}
