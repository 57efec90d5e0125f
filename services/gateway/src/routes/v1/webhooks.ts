import { isUuid } from "@airtower/platform/runtime/ids";
import { withRequestId } from "@airtower/platform/runtime/request-context";
import type { WebhookEndpoint } from "@airtower/proto/webhooks/v1/webhooks";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { RefusalError } from "../../errors.ts";
import { callerOf } from "../../plugins/auth.ts";
import { idempotencyField, markReplay } from "../../plugins/idempotency.ts";
import { noQuery, successBody } from "../../schemas/common.ts";
import { pageQuery } from "../../schemas/pages.ts";
import {
	createWebhookBody,
	type WebhookEndpointRecord,
	webhookEndpoint,
	webhookParams,
	webhookReply,
	webhooksReply,
} from "../../schemas/webhooks.ts";
import { nextCursorOf, pageRequestOf } from "../pages.ts";
import { requiredTime } from "../times.ts";

const RESOURCE = "webhooks";

/** GET and POST /webhooks, DELETE /webhooks/{webhookEndpointId}. */
export function webhookRoutes(ctx: Context): FastifyPluginAsyncZod {
	const { webhooks } = ctx.clients;
	return async (app) => {
		app.route({
			method: "GET",
			url: "/webhooks",
			config: {
				access: scopeAccess("webhooks:read"),
				errors: ["invalid_cursor"],
			},
			schema: {
				operationId: "listWebhooks",
				tags: ["Webhooks"],
				summary: "List webhook endpoints",
				description: "Newest first. Signing secrets are never listed.",
				querystring: pageQuery,
				response: { 200: webhooksReply },
			},
			handler: async (request) => {
				const { organizationId } = callerOf(request);
				const scope = { resource: RESOURCE, organizationId };
				const page = pageRequestOf(ctx.cursorKeys, scope, request.query);
				const { endpoints, next } = await withRequestId(request.id, () =>
					webhooks.listEndpoints({ organizationId, page }),
				);
				return {
					success: true as const,
					webhookEndpoints: endpoints.map(endpointRecord),
					nextCursor: nextCursorOf(ctx.cursorKeys, scope, next),
				};
			},
		});

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
					"The signing secret is in this answer only, and in those to repetitions with the same Idempotency-Key. An organization has at most 10 endpoints.",
				querystring: noQuery,
				body: createWebhookBody,
				response: { 202: webhookReply },
			},
			handler: async (request, reply) => {
				const { organizationId } = callerOf(request);
				const { endpoint, signingSecret, replayed } = await withRequestId(
					request.id,
					() =>
						webhooks.createEndpoint({
							organizationId,
							url: request.body.url,
							subscribedEvents: request.body.subscribed_events,
							...idempotencyField(request),
						}),
				);
				markReplay(reply, replayed);
				reply.code(202);
				return {
					success: true as const,
					webhookEndpoint: endpointRecord(endpoint),
					signingSecret,
				};
			},
		});

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
				querystring: noQuery,
				response: { 200: successBody },
			},
			handler: async (request) => {
				const { organizationId } = callerOf(request);
				const endpointId = request.params.webhookEndpointId;
				if (!isUuid(endpointId))
					throw new RefusalError({ code: "unknown_webhook_endpoint" });
				await withRequestId(request.id, () =>
					webhooks.deleteEndpoint({ organizationId, endpointId }),
				);
				return { success: true as const };
			},
		});
	};
}

function endpointRecord(
	endpoint: WebhookEndpoint | undefined,
): WebhookEndpointRecord {
	if (endpoint === undefined) throw new Error("the answer has no endpoint");
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
