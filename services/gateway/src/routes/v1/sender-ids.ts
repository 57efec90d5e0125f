import type { SenderId } from "@airtower/proto/messaging/v1/messaging";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { callerOf } from "../../plugins/auth.ts";
import { markReplay } from "../../plugins/idempotency.ts";
import { successBody } from "../../schemas/common.ts";
import {
	requestSenderIdBody,
	requestSenderIdReply,
	senderId,
} from "../../schemas/sender-ids.ts";
import { optionalTime, required, requiredTime } from "../required.ts";
import type { App } from "../routes.ts";

/** GET and POST /sender-ids. */
export function senderIdRoutes(app: App, { clients }: Context): void {
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
			response: { 200: successBody({ senderIds: senderId.array() }) },
		},
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const found = await clients.messaging.listSenderIds({ organizationId });
			const senderIds = found.senderIds.map(toSenderId);
			return { success: true as const, senderIds };
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
				"An admin of the platform decides the request. A rejected value is reopened: pending again.",
			body: requestSenderIdBody,
			response: { 201: requestSenderIdReply },
		},
		handler: async (request, reply) => {
			const { organizationId } = callerOf(request);
			const { senderId, replayed } = await clients.messaging.requestSenderId({
				organizationId,
				value: request.body.value,
				...request.idempotent,
			});
			markReplay(reply, replayed);
			reply.code(201);
			return {
				success: true as const,
				senderId: toSenderId(required(senderId)),
			};
		},
	});
}

function toSenderId(found: SenderId) {
	return {
		id: found.id,
		value: found.value,
		status: senderId.shape.status.parse(found.status),
		is_default: found.isDefault,
		rejection_reason: found.rejectionReason || null,
		created_at: requiredTime(found.createdAt),
		decided_at: optionalTime(found.decidedAt),
	};
}
