import { type ChoiceOptions, chooseRoute } from "./choose-route.ts";
import type { RouteStanding, RouteTable } from "./route-table.ts";

/** A message that a route has, as a choice between routes needs it. */
export interface RoutedMessage {
	readonly messageId: string;
	readonly recipient: string;
	readonly senderValue: string;
	readonly organizationId: string;
	/** Routes that refused it in its present attempt. */
	readonly triedRoutes: readonly string[] | null;
}

/** True for a route whose messages are not to wait for it. */
export function isLeft({ state, health }: RouteStanding): boolean {
	return state === "paused" || health !== "up";
}

/** True where some message of the route may have another one that sends. */
export function hasOtherRoute(
	{ groups, routes }: RouteTable,
	route: string,
): boolean {
	const sends = (code: string) =>
		code !== route && routes.get(code)?.health !== "down";
	return [...groups.values()].some((ofPrefix) =>
		[...ofPrefix.values()].some(({ candidates }) =>
			candidates.rules.some((rule) => sends(rule.route)),
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
	{ without = new Set(message.triedRoutes), mayTry }: ChoiceOptions = {},
): string | undefined {
	let onTrial: string | undefined;
	const choice = chooseRoute(table, toRequest(message), message.messageId, {
		without,
		mayTry: (route) => {
			const may = mayTry?.(route) ?? false;
			if (may) onTrial = route;
			return may;
		},
	});
	if (!("route" in choice) || choice.route === present) return undefined;
	const { route } = choice;
	const isUp = table.routes.get(route)?.health === "up";
	return isUp || route === onTrial ? route : undefined;
}

/** The route that the rules choose for the message now, whatever it was refused by; undefined where none is active. */
export function findFirstRoute(
	table: RouteTable,
	message: RoutedMessage,
): string | undefined {
	const choice = chooseRoute(table, toRequest(message), message.messageId);
	return "route" in choice ? choice.route : undefined;
}

function toRequest(message: RoutedMessage) {
	const { recipient, senderValue: sender, organizationId } = message;
	return { recipient, sender, organizationId };
}
