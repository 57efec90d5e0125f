import { withRequestId } from "@airtower/platform/runtime/request-context";
import type { SenderId } from "@airtower/proto/messaging/v1/messaging";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { callerOf } from "../../plugins/auth.ts";
import { idempotencyField, markReplay } from "../../plugins/idempotency.ts";
import { noQuery } from "../../schemas/common.ts";
import {
	requestSenderIdBody,
	type SenderIdRecord,
	senderIdReply,
	senderId as senderIdSchema,
	senderIdsReply,
} from "../../schemas/sender-ids.ts";
import { optionalTime, requiredTime } from "../times.ts";

/** GET and POST /sender-ids. */
export function senderIdRoutes(ctx: Context): FastifyPluginAsyncZod {
	return async (app) => {
		app.route({
			method: "GET",
			url: "/sender-ids",
			config: { access: scopeAccess("sender_ids:read") },
			schema: {
				operationId: "listSenderIds",
				tags: ["Sender IDs"],
				summary: "List sender IDs",
				description:
					"All sender IDs of the organization, newest first, with approval status and default flag.",
				querystring: noQuery,
				response: { 200: senderIdsReply },
			},
			handler: async (request) => {
				const { organizationId } = callerOf(request);
				const { senderIds } = await withRequestId(request.id, () =>
					ctx.clients.messaging.listSenderIds({ organizationId }),
				);
				return {
					success: true as const,
					senderIds: senderIds.map(senderIdRecord),
				};
			},
		});

		app.route({
			method: "POST",
			url: "/sender-ids",
			config: {
				access: scopeAccess("sender_ids:write"),
				errors: ["sender_id_exists"],
			},
			schema: {
				operationId: "requestSenderId",
				tags: ["Sender IDs"],
				summary: "Request a sender ID",
				description:
					"The request is decided by the platform's operator. A rejected value is reopened: pending again.",
				querystring: noQuery,
				body: requestSenderIdBody,
				response: { 201: senderIdReply },
			},
			handler: async (request, reply) => {
				const { organizationId } = callerOf(request);
				const { senderId, replayed } = await withRequestId(request.id, () =>
					ctx.clients.messaging.requestSenderId({
						organizationId,
						value: request.body.value,
						...idempotencyField(request),
					}),
				);
				markReplay(reply, replayed);
				reply.code(201);
				return { success: true as const, senderId: senderIdRecord(senderId) };
			},
		});
	};
}

function senderIdRecord(senderId: SenderId | undefined): SenderIdRecord {
	if (senderId === undefined) throw new Error("the answer has no sender ID");
	return {
		id: senderId.id,
		value: senderId.value,
		status: senderIdSchema.shape.status.parse(senderId.status),
		is_default: senderId.isDefault,
		rejection_reason: senderId.rejectionReason || null,
		created_at: requiredTime(senderId.createdAt),
		decided_at: optionalTime(senderId.decidedAt),
	};
}
