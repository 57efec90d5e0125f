import { z } from "zod";
import { uuidText } from "./common.ts";
import { examples, messageIdExample, timeExample } from "./examples.ts";
import { time } from "./times.ts";
import { webhookEndpoint } from "./webhooks.ts";

export const disabledWebhook = webhookEndpoint.pick({
	id: true,
	url: true,
	disabled_reason: true,
	disabled_at: true,
});

export const account = z
	.strictObject({
		organization: z.strictObject({
			id: uuidText(),
			name: z.string(),
			email: z.string(),
		}),
		commercial_state: z.enum([
			"trial",
			"active",
			"past_due",
			"suspended",
			"closed",
		]),
		subscription: z.strictObject({
			plan: z.string(),
			status: z.enum(["active", "past_due", "canceled"]),
			current_period_start: time(),
			current_period_end: time(),
		}),
		quota: z.strictObject({
			sms: z.strictObject({
				remaining: z.int().meta({ description: "Messages left." }),
				used_this_period: z.int(),
			}),
		}),
		disabled_webhooks: z.array(disabledWebhook).nullable().meta({
			description:
				"Webhook endpoints that are sent nothing any more, until they are made active again; null while it cannot be told.",
		}),
	})
	.meta({
		id: "Account",
		description: "The organization with its plan, period and quota.",
	})
	.register(examples, {
		example: {
			organization: {
				id: "0199b09f-0b1c-7d2e-8f30-415263748596",
				name: "ACME",
				email: "owner@example.com",
			},
			commercial_state: "active",
			subscription: {
				plan: "default",
				status: "active",
				current_period_start: "2026-03-01T00:00:00.000Z",
				current_period_end: "2026-04-01T00:00:00.000Z",
			},
			quota: { sms: { remaining: 9_999, used_this_period: 1 } },
			disabled_webhooks: [],
		},
	});

export const usageEntry = z
	.strictObject({
		id: uuidText(),
		kind: z.enum(["usage", "adjustment", "release", "grant"]),
		channel: z.enum(["sms", "whatsapp"]).nullable(),
		units: z.int().meta({ description: "Negative for usage." }),
		balance_after: z.int(),
		message_id: z.string().nullable(),
		campaign_id: z.string().nullable(),
		note: z.string().nullable(),
		created_at: time(),
	})
	.meta({ id: "UsageEntry", description: "One entry of the quota's ledger." })
	.register(examples, {
		example: {
			id: "0199b0a4-5f1d-7000-8000-000000000001",
			kind: "usage",
			channel: "sms",
			units: -1,
			balance_after: 9_999,
			message_id: messageIdExample,
			campaign_id: null,
			note: null,
			created_at: timeExample,
		},
	});
