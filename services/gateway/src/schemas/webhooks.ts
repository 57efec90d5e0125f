import { z } from "zod";
import { successBody, uuidText } from "./common.ts";
import { examples, timeExample } from "./examples.ts";
import { inboundText } from "./sms/inbound-sms.ts";
import { text } from "./texts.ts";
import { time } from "./times.ts";

const MAX_URL = 2_048;

const eventKind = z.enum([
	"message.delivered",
	"message.failed",
	"message.canceled",
]);

/** Kinds that an endpoint can subscribe to. */
export const subscribableKind = z.enum([
	...eventKind.options,
	"message.received",
	"recipient.opted_out",
	"report.daily",
	"webhook.disabled",
]);

const url = text(1, MAX_URL)
	.refine(isHttpUrl, {
		params: { code: "invalid_webhook_url" },
		message: "must be an absolute https URL",
	})
	.meta({
		format: "uri",
		pattern: "^[hH][tT][tT][pP][sS]?://[^\\u0000]*$",
		description:
			"Receiving address: https, public, without user name or password.",
	});

const subscribedEvents = z
	.array(subscribableKind)
	.min(1)
	.max(subscribableKind.options.length)
	.refine((kinds) => new Set(kinds).size === kinds.length, {
		params: { code: "duplicate" },
		message: "names an event twice",
	})
	.meta({ uniqueItems: true, description: "Event kinds to deliver." });

export const createWebhookBody = z
	.strictObject({ url, subscribed_events: subscribedEvents })
	.meta({ id: "CreateWebhookRequest", description: "A new webhook endpoint." })
	.register(examples, {
		example: {
			url: "https://example.com/hooks/airtower",
			subscribed_events: ["message.delivered", "message.failed"],
		},
	});

export const updateWebhookBody = z
	.strictObject({
		url: url.optional(),
		subscribed_events: subscribedEvents.optional(),
		status: z.literal("active").optional(),
	})
	.refine((body) => Object.keys(body).length > 0, {
		params: { code: "required" },
		message: "must name what to change",
	})
	.meta({
		id: "UpdateWebhookRequest",
		description: "What to change of a webhook endpoint; the rest stays.",
		minProperties: 1,
	})
	.register(examples, {
		example: {
			url: "https://example.com/hooks/airtower-2",
			status: "active",
		},
	});

function isHttpUrl(value: string): boolean {
	return /^https?:\/\//i.test(value) && URL.canParse(value);
}

export const webhookParams = z.strictObject({
	webhookEndpointId: z
		.string()
		.meta({ format: "uuid", description: "Id of the webhook endpoint." }),
});

export const webhookEndpoint = z
	.strictObject({
		id: uuidText(),
		url: z.string(),
		subscribed_events: z.array(subscribableKind),
		status: z.enum(["active", "disabled"]),
		disabled_reason: z.string().nullable().meta({
			description:
				"`gone`: it responded with 410. `failing`: nothing but failures for five days.",
		}),
		disabled_at: time().nullable(),
		created_at: time(),
	})
	.meta({
		id: "WebhookEndpoint",
		description: "An address that receives events.",
	})
	.register(examples, {
		example: {
			id: "0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
			url: "https://example.com/hooks/airtower",
			subscribed_events: ["message.delivered", "message.failed"],
			status: "active",
			disabled_reason: null,
			disabled_at: null,
			created_at: timeExample,
		},
	});

const secrets = {
	signingSecret: z
		.string()
		.meta({
			description:
				"Key of the signatures, `at_whsec_` and 43 characters. Shown this once.",
		})
		.register(examples, {
			example: "at_whsec_5kq0VtY2mB8nXcR1sLw7DgJ4hFzP9aTeUiO3bNvMyQx",
		}),
	standardWebhooksSecret: z
		.string()
		.meta({
			description:
				"The same key as stock Standard Webhooks libraries take it: `new Webhook(secret)`.",
		})
		.register(examples, {
			example:
				"whsec_YXRfd2hzZWNfNWtxMFZ0WTJtQjhuWGNSMXNMdzdEZ0o0aEZ6UDlhVGVVaU8zYk52TXlReA==",
		}),
};

export const createWebhookReply = successBody({ webhookEndpoint, ...secrets });

export const rotateWebhookSecretReply = successBody({
	webhookEndpoint,
	...secrets,
	previousSignsUntil: time()
		.meta({ description: "Until then the previous secret signs too." })
		.register(examples, { example: timeExample }),
});

export const eventId = z.string().meta({
	description: "Id of the event, the same on every repetition.",
});

export const webhookEvent = z
	.strictObject({
		id: eventId,
		type: eventKind,
		created_at: time(),
		data: z.strictObject({
			message_id: uuidText(),
			channel: z.enum(["sms", "whatsapp"]),
			status: z.enum(["delivered", "failed", "canceled"]),
			to: z.string().meta({
				description:
					"Recipient in E.164 form; empty once the number was erased.",
			}),
			client_reference: z.string().nullable(),
			campaign_id: z.string().nullable(),
			error: z
				.strictObject({
					code: z.string().meta({
						description: [
							"`rejected`, `undeliverable`, `expired`, `operator_error`, `blocked`",
							"or, for an SMS, `unknown_subscriber`, `no_receipt` or `recipient_opted_out`.",
						].join(" "),
					}),
					message: z.string(),
				})
				.nullable(),
			occurred_at: time(),
		}),
	})
	.meta({ id: "WebhookEvent", description: "The outcome of a message." });

export const messageReceivedEvent = z
	.strictObject({
		id: eventId,
		type: z.literal("message.received"),
		created_at: time(),
		data: z.strictObject({
			message_id: uuidText(),
			channel: z.literal("sms"),
			...inboundText,
			received_at: time(),
		}),
	})
	.meta({
		id: "MessageReceivedEvent",
		description: "A text came in to a number of the organization.",
	});

export const recipientOptedOutEvent = z
	.strictObject({
		id: eventId,
		type: z.literal("recipient.opted_out"),
		created_at: time(),
		data: z.strictObject({
			recipient: z.string().meta({
				description:
					"The number in E.164 form; empty once the number was erased.",
			}),
			sender: z.string().nullable().meta({
				description:
					"Sender whose messages it does not want; null for all senders of the organization.",
			}),
			source: z.string().meta({
				description:
					"`keyword`: it wrote so; `api`, `import`: the organization said so; `whatsapp`: it told WhatsApp.",
			}),
			occurred_at: time(),
		}),
	})
	.meta({
		id: "RecipientOptedOutEvent",
		description: "A number wants no more messages.",
	});

export const webhookDisabledEvent = z
	.strictObject({
		id: eventId,
		type: z.literal("webhook.disabled"),
		created_at: time(),
		data: z.strictObject({
			webhook_endpoint_id: uuidText(),
			url: z.string(),
			disabled_reason: z.enum(["gone", "failing"]),
			disabled_at: time(),
		}),
	})
	.meta({
		id: "WebhookDisabledEvent",
		description: "A webhook endpoint was disabled: it gets no more events.",
	});
