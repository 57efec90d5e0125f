import { scopeAccess } from "../../../domain/access.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { markReplay } from "../../../plugins/idempotency.ts";
import {
	createWebhookBody,
	createWebhookReply,
	webhookEndpoint,
} from "../../../schemas/webhooks.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

const operation = {
	method: "POST",
	url: "/webhooks",
	config: {
		access: scopeAccess("webhooks:write"),
		errors: ["webhook_limit_reached"],
	},
	schema: {
		operationId: "createWebhook",
		tags: ["Webhooks"],
		summary: "Register a webhook endpoint",
		description: [
			"The signing secret is in this response only, and in those to repetitions with the same Idempotency-Key.",
			"An organization has at most 10 endpoints.",
		].join(" "),
		body: createWebhookBody,
		response: { 202: createWebhookReply },
	},
} as const;

export const createWebhook: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request, reply) => {
			const { organizationId } = callerOf(request);
			const { url, subscribed_events: subscribedEvents } = request.body;
			const created = await clients.webhooks.createEndpoint({
				organizationId,
				url,
				subscribedEvents,
				...request.idempotent,
			});
			markReplay(reply, created.replayed);
			reply.code(202);
			return {
				success: true as const,
				webhookEndpoint: toRecord(webhookEndpoint, required(created.endpoint)),
				signingSecret: created.signingSecret,
				standardWebhooksSecret: created.standardSecret,
			};
		},
	});
};
