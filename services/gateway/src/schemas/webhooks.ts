import { z } from "zod";
import { success, text, time, uuidText } from "./common.ts";
import { nextCursor } from "./pages.ts";

const MAX_URL = 2_048;

const eventKind = z.enum(["message.delivered", "message.failed"]);

export const createWebhookBody = z
	.strictObject({
		url: text()
			.min(1)
			.max(MAX_URL)
			.refine(isHttpUrl, {
				params: { code: "invalid_webhook_url" },
				message: "must be an absolute https URL",
			})
			.meta({
				format: "uri",
				description:
					"Receiving address: https, public, without user name or password.",
			}),
		subscribed_events: z
			.array(eventKind)
			.min(1)
			.refine((kinds) => new Set(kinds).size === kinds.length, {
				params: { code: "duplicate" },
				message: "holds an event twice",
			})
			.meta({ uniqueItems: true, description: "Event kinds to deliver." }),
	})
	.meta({ id: "CreateWebhookRequest" });

function isHttpUrl(value: string): boolean {
	return /^https?:\/\//i.test(value) && URL.canParse(value);
}

export const webhookParams = z.strictObject({
	webhookEndpointId: z.string().meta({ format: "uuid" }),
});

export const webhookEndpoint = z
	.strictObject({
		id: uuidText(),
		url: z.string(),
		subscribed_events: z.array(eventKind),
		status: z.enum(["active", "disabled"]),
		disabled_reason: z.string().nullable().meta({
			description:
				"`gone`: it answered 410. `failing`: nothing but failures for five days.",
		}),
		created_at: time(),
	})
	.meta({ id: "WebhookEndpoint" });

export type WebhookEndpointRecord = z.infer<typeof webhookEndpoint>;

export const webhookReply = z.strictObject({
	success,
	webhookEndpoint,
	signingSecret: z.string().meta({
		description:
			"Key of the signatures, `at_whsec_` and 43 characters. Shown this once.",
	}),
});

export const webhooksReply = z.strictObject({
	success,
	webhookEndpoints: z.array(webhookEndpoint),
	nextCursor,
});

/** Body of a callback to a webhook endpoint. */
export const webhookEvent = z
	.strictObject({
		id: z.string().meta({
			description: "Id of the event, the same on every repetition.",
		}),
		type: eventKind,
		created_at: time(),
		data: z.strictObject({
			message_id: uuidText(),
			channel: z.enum(["sms", "whatsapp"]),
			status: z.enum(["delivered", "failed"]),
			to: z.string().meta({ description: "Recipient in E.164 form." }),
			client_reference: z.string().nullable(),
			campaign_id: z.string().nullable(),
			error: z
				.strictObject({
					code: z.string().meta({
						description:
							"`rejected`, `undeliverable`, `expired`, `operator_error`, `blocked` or, for an SMS, `unknown_subscriber`.",
					}),
					message: z.string(),
				})
				.nullable(),
			occurred_at: time(),
		}),
	})
	.meta({ id: "WebhookEvent" });
