import { scopeAccess } from "../../../domain/access.ts";
import { RefusalError } from "../../../errors.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { markReplay } from "../../../plugins/idempotency.ts";
import { noBody, successBody } from "../../../schemas/common.ts";
import {
	webhookDelivery,
	webhookDeliveryParams,
} from "../../../schemas/webhook-deliveries.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toWebhookDelivery } from "./to-webhook-delivery.ts";

const operation = {
	method: "POST",
	url: "/webhooks/deliveries/:webhookDeliveryId/redeliver",
	config: {
		access: scopeAccess("webhooks:write"),
		errors: ["unknown_webhook_delivery", "webhook_endpoint_disabled"],
		isBodyOptional: true,
	},
	schema: {
		operationId: "redeliverWebhook",
		tags: ["Webhooks"],
		summary: "Send an event to a webhook endpoint again",
		description: [
			"Whatever became of it: a delivered or failed event is queued with a fresh schedule,",
			"one that waits for its next attempt is sent at once. The event keeps its id.",
		].join(" "),
		params: webhookDeliveryParams,
		body: noBody,
		response: { 202: successBody({ webhookDelivery }) },
	},
} as const;

export const redeliverWebhook: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request, reply) => {
			const { organizationId } = callerOf(request);
			const { delivery, replayed } = await clients.webhooks.redeliver({
				organizationId,
				...parseId(request.params.webhookDeliveryId),
				...request.idempotent,
			});
			markReplay(reply, replayed);
			reply.code(202);
			return {
				success: true as const,
				webhookDelivery: toWebhookDelivery(required(delivery)),
			};
		},
	});
};

function parseId(id: string) {
	const [eventId, endpointId, ...rest] = id.split(".");
	if (eventId === undefined || endpointId === undefined || rest.length > 0)
		throw new RefusalError({ code: "unknown_webhook_delivery" });
	return { eventId, endpointId };
}
