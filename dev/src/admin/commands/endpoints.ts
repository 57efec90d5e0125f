import type { Command } from "../command.ts";
import { LIMIT, listPages } from "../pages.ts";
import { dateOf, findOrganization } from "../values.ts";

export const listEndpoints: Command = {
	name: "endpoints list",
	summary: "Lists an organization's webhook endpoints",
	args: ["organization"],
	options: { limit: LIMIT },
	run: async (call) => {
		const { id: organizationId } = await findOrganization(call);
		return listPages(
			call,
			async (page) => {
				const { endpoints, next } = await call.clients.endpoints.listEndpoints({
					organizationId,
					page,
				});
				return { items: endpoints, next };
			},
			(endpoint) => ({
				id: endpoint.id,
				url: endpoint.url,
				events: endpoint.subscribedEvents.join(","),
				status: endpoint.status,
				disabled_reason: endpoint.disabledReason,
				created_at: dateOf(endpoint.createdAt),
			}),
			"The organization has no webhook endpoints.",
		);
	},
};
