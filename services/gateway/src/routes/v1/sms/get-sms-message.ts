import { isUuid } from "@airtower/platform/runtime/ids";
import type { Clients } from "../../../clients.ts";
import { scopeAccess } from "../../../domain/access.ts";
import { RefusalError } from "../../../errors.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { successBody } from "../../../schemas/common.ts";
import {
	smsMessageDetails,
	smsMessageParams,
} from "../../../schemas/sms/sms-messages.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toWebhookDelivery } from "../webhooks/to-webhook-delivery.ts";
import { smsToRecord } from "./sms-to-record.ts";

const WEBHOOKS_TIMEOUT_MS = 1_000;

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
			const [found, callbacks] = await Promise.all([
				clients.messaging.getMessage(asked),
				findCallbacks(clients, asked),
			]);
			const message = { ...smsToRecord(required(found.message)), callbacks };
			return { success: true as const, message };
		},
	});
};

/** Null when webhooks does not respond: the message is shown without them. */
async function findCallbacks(
	{ webhooks }: Clients,
	asked: { readonly organizationId: string; readonly messageId: string },
) {
	const options = { timeoutMs: WEBHOOKS_TIMEOUT_MS };
	const found = await webhooks
		.listMessageDeliveries(asked, options)
		.catch(() => undefined);
	return found === undefined ? null : found.deliveries.map(toWebhookDelivery);
}
