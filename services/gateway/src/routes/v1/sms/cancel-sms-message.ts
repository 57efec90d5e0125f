import { isUuid } from "@airtower/platform/runtime/ids";
import { scopeAccess } from "../../../domain/access.ts";
import { RefusalError } from "../../../errors.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { successBody } from "../../../schemas/common.ts";
import {
	smsMessage,
	smsMessageParams,
} from "../../../schemas/sms/sms-messages.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { smsToRecord } from "./sms-to-record.ts";

const operation = {
	method: "DELETE",
	url: "/sms/messages/:messageId",
	config: {
		access: scopeAccess("sms:send"),
		errors: ["unknown_message", "not_cancelable"],
	},
	schema: {
		operationId: "cancelSmsMessage",
		tags: ["SMS"],
		summary: "Cancel an SMS",
		description: [
			"Takes back a message that is `scheduled` or `accepted`: it is not sent, and its unit of quota is given back",
			"within seconds. The event is `message.canceled`. A campaign counts the recipient as failed, with the reason",
			"`canceled`. To cancel it again changes nothing and gets the same response.",
		].join(" "),
		params: smsMessageParams,
		response: { 200: successBody({ message: smsMessage }) },
	},
} as const;

export const cancelSmsMessage: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const { messageId } = request.params;
			if (!isUuid(messageId))
				throw new RefusalError({ code: "unknown_message" });
			const asked = { organizationId, messageId };
			const { message } = await clients.messaging.cancelMessage(asked);
			return {
				success: true as const,
				message: smsToRecord(required(message)),
			};
		},
	});
};
