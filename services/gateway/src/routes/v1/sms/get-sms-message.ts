import { isUuid } from "@airtower/platform/runtime/ids";
import { scopeAccess } from "../../../domain/access.ts";
import { RefusalError } from "../../../errors.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { successBody } from "../../../schemas/common.ts";
import {
	smsMessageDetails,
	smsMessageParams,
} from "../../../schemas/sms-messages.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toWebhookDelivery } from "../webhooks/to-webhook-delivery.ts";
import { smsToRecord } from "./sms-to-record.ts";

const operation = {
	method: "GET",
	url: "/sms/messages/:messageId",
	config: {
		access: scopeAccess("sms:read"),
		errors: ["unknown_message"],
	},
	schema: {
		operationId: "getSmsMessage",
		tags: ["SMS"],
		summary: "Show an SMS",
		description: "How far it is, its outcome, and the callbacks about it.",
		params: smsMessageParams,
		response: { 200: successBody({ message: smsMessageDetails }) },
	},
} as const;

export const getSmsMessage: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const { messageId } = request.params;
			if (!isUuid(messageId))
				throw new RefusalError({ code: "unknown_message" });
			const asked = { organizationId, messageId };
			const [found, { deliveries }] = await Promise.all([
				clients.messaging.getMessage(asked),
				clients.webhooks.listMessageDeliveries(asked),
			]);
			const message = {
				...smsToRecord(required(found.message)),
				callbacks: deliveries.map(toWebhookDelivery),
			};
			return { success: true as const, message };
		},
	});
};
