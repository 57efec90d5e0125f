import { listOfOrganization } from "../pages.ts";
import { dateOf } from "../values.ts";

export const listEndpoints = listOfOrganization({
	name: "endpoints list",
	summary: "Lists an organization's webhook endpoints",
	read: async ({ endpoints }, wanted) => {
		const answer = await endpoints.listEndpoints(wanted);
		return { items: answer.endpoints, next: answer.next };
	},
	rowOf: (endpoint) => ({
		id: endpoint.id,
		url: endpoint.url,
		events: endpoint.subscribedEvents.join(","),
		status: endpoint.status,
		disabled_reason: endpoint.disabledReason,
		created_at: dateOf(endpoint.createdAt),
	}),
	whenEmpty: "The organization has no webhook endpoints.",
});
