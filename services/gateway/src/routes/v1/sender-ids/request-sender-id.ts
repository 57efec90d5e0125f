import { scopeAccess } from "../../../domain/access.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { markReplay } from "../../../plugins/idempotency.ts";
import {
	requestSenderIdBody,
	requestSenderIdReply,
	senderId,
} from "../../../schemas/sender-ids.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

const operation = {
	method: "POST",
	url: "/sender-ids",
	config: {
		access: scopeAccess("sender_ids:write"),
		errors: ["sender_id_exists", "sender_id_limit_reached"],
	},
	schema: {
		operationId: "requestSenderId",
		tags: ["Sender IDs"],
		summary: "Request a sender ID",
		description: [
			"An admin of the platform decides the request. A rejected value is reopened: pending again.",
			"An organization has at most 100 sender IDs.",
		].join(" "),
		body: requestSenderIdBody,
		response: { 201: requestSenderIdReply },
	},
} as const;

export const requestSenderId: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request, reply) => {
			const { organizationId } = callerOf(request);
			const { body, idempotent } = request;
			const asked = { organizationId, ...body, ...idempotent };
			const requested = await clients.messaging.requestSenderId(asked);
			markReplay(reply, requested.replayed);
			reply.code(201);
			const record = toRecord(senderId, required(requested.senderId));
			return { success: true as const, senderId: record };
		},
	});
};
