import type { Command } from "../command.ts";
import { toRow } from "../output.ts";
import { listCommand } from "../pages.ts";
import { findOrganization } from "../values.ts";

export const endpointCommands: readonly Command[] = [
	listCommand({
		line: "endpoints list <organization>",
		summary: "Lists an organization's webhook endpoints",
		read: async (call, page) => {
			const { id: organizationId } = await findOrganization(call);
			const client = call.clients.endpoints();
			const response = await client.listEndpoints({ organizationId, page });
			return { items: response.endpoints, next: response.next };
		},
		toRow: (endpoint) => ({
			...toRow(endpoint, "id", "url"),
			events: endpoint.subscribedEvents.join(","),
			...toRow(endpoint, "status", "disabledReason", "createdAt"),
		}),
		whenEmpty: "The organization has no webhook endpoints.",
	}),
];
