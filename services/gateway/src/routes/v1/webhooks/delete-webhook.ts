import { isUuid } from "@airtower/platform/runtime/ids";
import { scopeAccess } from "../../../domain/access.ts";
import { RefusalError } from "../../../errors.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { successBody } from "../../../schemas/common.ts";
import { webhookParams } from "../../../schemas/webhooks.ts";
import type { Routes } from "../../routes.ts";

const operation = {
	method: "DELETE",
	url: "/webhooks/:webhookEndpointId",
	config: {
		access: scopeAccess("webhooks:write"),
		errors: ["unknown_webhook_endpoint"],
	},
	schema: {
		operationId: "deleteWebhook",
		tags: ["Webhooks"],
		summary: "Remove a webhook endpoint",
		description: "Nothing more is sent to it.",
		params: webhookParams,
		response: { 200: successBody({}) },
	},
} as const;

export const deleteWebhook: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const { webhookEndpointId: endpointId } = request.params;
			if (!isUuid(endpointId))
				throw new RefusalError({ code: "unknown_webhook_endpoint" });
			await clients.webhooks.deleteEndpoint({ organizationId, endpointId });
			return { success: true as const };
		},
	});
};
