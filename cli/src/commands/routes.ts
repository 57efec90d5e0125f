import type { OperatorRoute } from "@airtower/proto/messaging/v1/admin";
import type { Command } from "../command.ts";
import { toRow } from "../output.ts";

export const routeCommands: readonly Command[] = [
	{
		line: "routes list",
		summary:
			"Lists the operator routes, how they stand and what is unfinished on each",
		run: async ({ clients }) => {
			const { routes } = await clients.messaging().listRoutes({});
			const found = routes.map((route) => ({
				...toRow(route, "code", "account", "takesNewMessages", "connections"),
				...toRow(route, "connectionsWanted", "lastError", "nextTryAt"),
				...toRow(route, "pausedUntil"),
				...toRow(route, "queued", "submitting", "unknown", "oldestDueAt"),
			}));
			const whenEmpty = "There are no routes.";
			return { content: found, whenEmpty, note: noteOn(routes) };
		},
	},
	{
		line: "routes reconnect <route>",
		summary:
			"Tries a route's connections that are not up now, whatever they wait for",
		run: async (call) => {
			const code = call.text("route");
			const messaging = call.clients.messaging();
			const { processes } = await messaging.reconnectRoute({ code });
			return { content: { route: code, processes } };
		},
	},
];

function noteOn(routes: readonly OperatorRoute[]): string | undefined {
	if (routes.some(({ account }) => account === ""))
		return (
			"A route without an account is not set up any more: " +
			"nobody submits its messages until it is again, or they expire."
		);
	if (routes.some(({ connectionsWanted }) => connectionsWanted === 0))
		return "Where no connection is wanted no process delivers: messages wait until one does, or expire.";
	return undefined;
}
