import { timestampDate } from "@bufbuild/protobuf/wkt";
import { scopeAccess } from "../../../domain/access.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { markReplay } from "../../../plugins/idempotency.ts";
import { noBody } from "../../../schemas/common.ts";
import {
	rotateWebhookSecretReply,
	webhookEndpoint,
	webhookParams,
} from "../../../schemas/webhooks.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

const operation = {
	method: "POST",
	url: "/webhooks/:webhookEndpointId/rotate-secret",
	config: {
		access: scopeAccess("webhooks:write"),
		errors: ["unknown_webhook_endpoint", "webhook_secret_limit_reached"],
		isBodyOptional: true,
	},
	schema: {
		operationId: "rotateWebhookSecret",
		tags: ["Webhooks"],
		summary: "Replace the signing secret of a webhook endpoint",
		description: [
			"The new secret is in this response only, and in those to repetitions with the same Idempotency-Key.",
			"For 24 hours the previous secret signs too: `webhook-signature` has a signature for each,",
			"`x-service-signature` stays that of the old secret and `x-service-signature-next` is that of the new one.",
		].join(" "),
		params: webhookParams,
		body: noBody,
		response: { 200: rotateWebhookSecretReply },
	},
} as const;

export const rotateWebhookSecret: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request, reply) => {
			const { organizationId } = callerOf(request);
			const { webhookEndpointId: endpointId } = request.params;
			const rotated = await clients.webhooks.rotateSecret({
				organizationId,
				endpointId,
				...request.idempotent,
			});
			markReplay(reply, rotated.replayed);
			const until = timestampDate(required(rotated.previousSignsUntil));
			return {
				success: true as const,
				webhookEndpoint: toRecord(webhookEndpoint, required(rotated.endpoint)),
				signingSecret: rotated.signingSecret,
				standardWebhooksSecret: rotated.standardSecret,
				previousSignsUntil: until.toISOString(),
			};
		},
	});
};
