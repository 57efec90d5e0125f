import { scopeAccess } from "../../../domain/access.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { successBody } from "../../../schemas/common.ts";
import {
	updateWebhookBody,
	webhookEndpoint,
	webhookParams,
} from "../../../schemas/webhooks.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

const operation = {
	method: "PATCH",
	url: "/webhooks/:webhookEndpointId",
	config: {
		access: scopeAccess("webhooks:write"),
		errors: ["unknown_webhook_endpoint"],
	},
	schema: {
		operationId: "updateWebhook",
		tags: ["Webhooks"],
		summary: "Change a webhook endpoint",
		description: [
			"What is not named stays as it is. `status: active` makes a disabled endpoint active again;",
			"events from while it was disabled are not sent to it.",
		].join(" "),
		params: webhookParams,
		body: updateWebhookBody,
		response: { 200: successBody({ webhookEndpoint }) },
	},
} as const;

export const updateWebhook: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const { webhookEndpointId: endpointId } = request.params;
			const { url, subscribed_events, status } = request.body;
			const { endpoint } = await clients.webhooks.updateEndpoint({
				organizationId,
				endpointId,
				enable: status === "active",
				...(url !== undefined && { url }),
				subscribedEvents: subscribed_events ?? [],
			});
			const record = toRecord(webhookEndpoint, required(endpoint));
			return { success: true as const, webhookEndpoint: record };
		},
	});
};
