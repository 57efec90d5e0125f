import { pageQuery } from "../../../schemas/pages.ts";
import { webhookEndpoint } from "../../../schemas/webhooks.ts";
import { addList } from "../../add-list.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

export const listWebhooks: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/webhooks",
		scope: "webhooks:read",
		operationId: "listWebhooks",
		tag: "Webhooks",
		summary: "List webhook endpoints",
		description: "Newest first. Signing secrets are never listed.",
		query: pageQuery,
		rows: { webhookEndpoints: webhookEndpoint.array() },
		find: async (page) => {
			const found = await ctx.clients.webhooks.listEndpoints(page);
			const webhookEndpoints = found.endpoints.map((one) =>
				toRecord(webhookEndpoint, one),
			);
			return { webhookEndpoints, next: found.next };
		},
	});
};
