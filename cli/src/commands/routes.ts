import type { OperatorRoute } from "@airtower/proto/messaging/v1/admin";
import type { Command } from "../command.ts";
import { rows } from "../output.ts";
import { dateOf } from "../values.ts";

export const listRoutes: Command = {
	name: "routes list",
	summary:
		"Lists the operator routes, how they stand and what is unfinished on each",
	args: [],
	run: async ({ clients }) => {
		const { routes } = await clients.messaging.listRoutes({});
		return rows(
			routes.map((route) => ({
				code: route.code,
				account: route.account,
				takes_new_messages: route.takesNewMessages,
				connections: route.connections,
				connections_wanted: route.connectionsWanted,
				last_error: route.lastError,
				paused_until: dateOf(route.pausedUntil),
				queued: route.queued,
				submitting: route.submitting,
				unknown: route.unknown,
				oldest_due_at: dateOf(route.oldestDueAt),
			})),
			"There are no routes.",
			noteOn(routes),
		);
	},
};

function noteOn(routes: readonly OperatorRoute[]): string | undefined {
	const isSetUp = ({ account }: OperatorRoute) => account !== "";
	if (!routes.every(isSetUp))
		return "A route without an account is not set up any more: nobody submits its messages until it is again, or they expire.";
	if (routes.some((route) => route.connectionsWanted === 0))
		return "Where no connection is wanted no process delivers: messages wait until one does, or expire.";
	return undefined;
}
