import type { Command } from "../command.ts";
import { rows } from "../output.ts";
import { dateOf } from "../values.ts";

export const listRoutes: Command = {
	name: "routes list",
	summary: "Lists the operator routes and what is unfinished on each",
	args: [],
	run: async ({ clients }) => {
		const { routes } = await clients.messaging.listRoutes({});
		const abandoned = routes.filter(({ account }) => account === "");
		return rows(
			routes.map((route) => ({
				code: route.code,
				account: route.account,
				takes_new_messages: route.takesNewMessages,
				queued: route.queued,
				submitting: route.submitting,
				unknown: route.unknown,
				oldest_due_at: dateOf(route.oldestDueAt),
			})),
			"There are no routes.",
			abandoned.length === 0
				? undefined
				: "A route without an account is not set up any more: nobody submits its messages until it is again, or they expire.",
		);
	},
};
