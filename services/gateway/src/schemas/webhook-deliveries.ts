import { z } from "zod";
import { uuidText } from "./common.ts";
import { examples, messageIdExample, timeExample } from "./examples.ts";
import { pageQuery } from "./pages.ts";
import { time } from "./times.ts";
import { subscribableKind } from "./webhooks.ts";

const status = z.enum(["pending", "delivered", "failed"]);

export const webhookDeliveryQuery = pageQuery.extend({
	status: status.optional().meta({ description: "Those of this status only." }),
});

export const webhookDeliveryParams = z.strictObject({
	webhookDeliveryId: z.string().meta({
		description: "Id of a delivery, as lists of deliveries give it.",
	}),
});

export const webhookDeliveryExample = {
	id: "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b58.0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
	event_id: "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b58",
	webhook_endpoint_id: "0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
	type: "message.delivered",
	message_id: messageIdExample,
	status: "pending",
	attempts: 2,
	last_http_status: 503,
	last_error: "http_status",
	next_attempt_at: timeExample,
	created_at: timeExample,
} as const;

export const webhookDelivery = z
	.strictObject({
		id: z.string(),
		event_id: uuidText(),
		webhook_endpoint_id: uuidText(),
		type: subscribableKind,
		message_id: z.string().nullable(),
		status: status.meta({
			description:
				"`pending`: waits for its next attempt or is being sent. `failed`: given up.",
		}),
		attempts: z.int().meta({
			description: "Attempts since the event was queued or queued again.",
		}),
		last_http_status: z.int().nullable(),
		last_error: z
			.string()
			.nullable()
			.meta({
				description: [
					"`http_status`, `redirect`, `gone`, `timeout`, `dns_failed`, `address_not_allowed`,",
					"`connection_refused`, `connection_lost`, `connection_failed`, `tls_failed`, `invalid_response`,",
					"`endpoint_inactive`, or `not_sent` for a failure of ours.",
				].join(" "),
			}),
		next_attempt_at: time().nullable(),
		created_at: time(),
	})
	.meta({
		id: "WebhookDelivery",
		description: "One event on its way to one webhook endpoint.",
	})
	.register(examples, { example: webhookDeliveryExample });
