import {
	webhookDelivery,
	webhookDeliveryQuery,
} from "../../../schemas/webhook-deliveries.ts";
import { webhookParams } from "../../../schemas/webhooks.ts";
import { addList } from "../../add-list.ts";
import type { Routes } from "../../routes.ts";
import { toWebhookDelivery } from "./to-webhook-delivery.ts";

export const listWebhookDeliveries: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/webhooks/:webhookEndpointId/deliveries",
		scope: "webhooks:read",
		operationId: "listWebhookDeliveries",
		tag: "Webhooks",
		summary: "List the deliveries to a webhook endpoint",
		description: [
			"Newest first, of the last 30 days.",
			"A page can be short, and even empty, before the last one: go on until nextCursor is null.",
		].join(" "),
		params: webhookParams,
		errors: ["unknown_webhook_endpoint"],
		query: webhookDeliveryQuery,
		rows: { webhookDeliveries: webhookDelivery.array() },
		find: async (
			page,
			{ status = "" },
			_caller,
			{ webhookEndpointId = "" },
		) => {
			const { deliveries, next } =
				await ctx.clients.webhooks.listEndpointDeliveries({
					...page,
					endpointId: webhookEndpointId,
					status: status === "failed" ? "dead" : status,
				});
			return { webhookDeliveries: deliveries.map(toWebhookDelivery), next };
		},
	});
};
