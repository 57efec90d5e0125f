import { scopeAccess } from "../../../domain/access.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { successBody } from "../../../schemas/common.ts";
import { senderId } from "../../../schemas/sender-ids.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

const operation = {
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
} as const;

export const listSenderIds: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const found = await clients.messaging.listSenderIds({ organizationId });
			const senderIds = found.senderIds.map((one) => toRecord(senderId, one));
			return { success: true as const, senderIds };
		},
	});
};
