import { isUuid } from "@airtower/platform/runtime/ids";
import type { WebhookEndpoint } from "@airtower/proto/webhooks/v1/webhooks";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { RefusalError } from "../../errors.ts";
import { callerOf } from "../../plugins/auth.ts";
import { markReplay } from "../../plugins/idempotency.ts";
import { successBody } from "../../schemas/common.ts";
import { pageQuery } from "../../schemas/pages.ts";
import {
	createWebhookBody,
	createWebhookReply,
	webhookEndpoint,
	webhookParams,
} from "../../schemas/webhooks.ts";
import { addList } from "../add-list.ts";
import { required, requiredTime } from "../required.ts";
import type { App } from "../routes.ts";

/** GET and POST /webhooks, DELETE /webhooks/{webhookEndpointId}. */
export function webhookRoutes(app: App, ctx: Context): void {
	listWebhooks(app, ctx);
	createWebhook(app, ctx);
	deleteWebhook(app, ctx);
}

function listWebhooks(app: App, ctx: Context): void {
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
			const { endpoints, next } =
				await ctx.clients.webhooks.listEndpoints(page);
			return { webhookEndpoints: endpoints.map(toEndpoint), next };
		},
	});
}

function createWebhook(app: App, { clients }: Context): void {
	app.route({
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
			description:
				"The signing secret is in this response only, and in those to repetitions with the same Idempotency-Key. An organization has at most 10 endpoints.",
			body: createWebhookBody,
			response: { 202: createWebhookReply },
		},
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
				webhookEndpoint: toEndpoint(required(created.endpoint)),
				signingSecret: created.signingSecret,
			};
		},
	});
}

function deleteWebhook(app: App, { clients }: Context): void {
	app.route({
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
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const endpointId = request.params.webhookEndpointId;
			if (!isUuid(endpointId))
				throw new RefusalError({ code: "unknown_webhook_endpoint" });
			await clients.webhooks.deleteEndpoint({ organizationId, endpointId });
			return { success: true as const };
		},
	});
}

function toEndpoint(endpoint: WebhookEndpoint) {
	const { shape } = webhookEndpoint;
	return {
		id: endpoint.id,
		url: endpoint.url,
		subscribed_events: shape.subscribed_events.parse(endpoint.subscribedEvents),
		status: shape.status.parse(endpoint.status),
		disabled_reason: endpoint.disabledReason || null,
		created_at: requiredTime(endpoint.createdAt),
	};
}
