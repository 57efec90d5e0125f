import type { z } from "zod";
import {
	deliverySumExample,
	messageIdExample,
	timeExample,
} from "../schemas/examples.ts";
import type { dailyReportEvent } from "../schemas/reports.ts";
import {
	inboundExample,
	inboundIdExample,
} from "../schemas/sms/inbound-sms.ts";
import type {
	messageReceivedEvent,
	recipientOptedOutEvent,
	webhookDisabledEvent,
	webhookEvent,
} from "../schemas/webhooks.ts";
import { JSON_TYPE, type Operation } from "./document.ts";
import { parameterRef } from "./parameters.ts";

const PARAMETERS = [
	parameterRef("ServiceTimestamp"),
	parameterRef("ServiceSignature"),
	parameterRef("ServiceSignatureNext"),
	parameterRef("ServiceEventId"),
	parameterRef("WebhookId"),
	parameterRef("WebhookTimestamp"),
	parameterRef("WebhookSignature"),
];

const DESCRIPTION = [
	"Respond with any 2xx within 10 seconds. Anything else, a redirect included, is repeated after",
	"5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h.",
	"An event may come more than once: its id stays the same.",
	"Verify the signature over the raw body before you trust it, with either family of headers,",
	"and refuse timestamps more than five minutes away.",
].join(" ");

const DAILY_REPORT = [
	"Once for each day that has messages, after 01:00 UTC of the next one; each day of the last seven after an interruption, none older.",
	"What is known later is in `GET /reports/delivery`.",
].join(" ");

const RESPONSES = {
	"2XX": { description: "Taken. The body is ignored." },
	"410": { description: "Gone: the endpoint is disabled at once." },
	default: { description: "Not taken: the event comes again." },
};

type WebhookEvent = z.infer<typeof webhookEvent>;
type MessageReceivedEvent = z.infer<typeof messageReceivedEvent>;
type RecipientOptedOutEvent = z.infer<typeof recipientOptedOutEvent>;
type DailyReportEvent = z.infer<typeof dailyReportEvent>;
type WebhookDisabledEvent = z.infer<typeof webhookDisabledEvent>;
type AnyEvent =
	| WebhookEvent
	| MessageReceivedEvent
	| RecipientOptedOutEvent
	| DailyReportEvent
	| WebhookDisabledEvent;

const delivered: WebhookEvent = {
	id: "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b58",
	type: "message.delivered",
	created_at: timeExample,
	data: {
		message_id: messageIdExample,
		channel: "sms",
		status: "delivered",
		to: "+33612345678",
		client_reference: "order-1042",
		campaign_id: null,
		error: null,
		occurred_at: timeExample,
	},
};

const failure = {
	code: "undeliverable",
	message: "The operator could not deliver the message.",
};

const failed: WebhookEvent = {
	...delivered,
	type: "message.failed",
	data: { ...delivered.data, status: "failed", error: failure },
};

const canceled: WebhookEvent = {
	...delivered,
	type: "message.canceled",
	data: { ...delivered.data, status: "canceled" },
};

const received: MessageReceivedEvent = {
	id: "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b60",
	type: "message.received",
	created_at: timeExample,
	data: {
		message_id: inboundIdExample,
		channel: "sms",
		...inboundExample,
	},
};

const optedOut: RecipientOptedOutEvent = {
	id: "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b61",
	type: "recipient.opted_out",
	created_at: timeExample,
	data: {
		recipient: "+33612345678",
		sender: "ACME",
		source: "keyword",
		occurred_at: timeExample,
	},
};

const dailyReport: DailyReportEvent = {
	id: "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b62",
	type: "report.daily",
	created_at: timeExample,
	data: { day: deliverySumExample.value, sums: [deliverySumExample] },
};

const disabled: WebhookDisabledEvent = {
	id: "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b59",
	type: "webhook.disabled",
	created_at: timeExample,
	data: {
		webhook_endpoint_id: "0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90",
		url: "https://example.com/hooks/airtower",
		disabled_reason: "failing",
		disabled_at: timeExample,
	},
};

/** Of the kinds that are no outcome of a message. */
const SCHEMAS: Readonly<Partial<Record<AnyEvent["type"], string>>> = {
	"message.received": "MessageReceivedEvent",
	"recipient.opted_out": "RecipientOptedOutEvent",
	"report.daily": "DailyReportEvent",
	"webhook.disabled": "WebhookDisabledEvent",
};

/** The callbacks that Airtower makes, as the document's webhooks section. */
export function eventOperations(): Record<string, Record<string, Operation>> {
	return {
		"message.delivered": {
			post: toOperation("onDelivered", "A message was delivered", delivered),
		},
		"message.failed": {
			post: toOperation("onFailed", "A message was not delivered", failed),
		},
		"message.canceled": {
			post: toOperation(
				"onCanceled",
				"A message was taken back before it was sent",
				canceled,
			),
		},
		"message.received": {
			post: toOperation("onReceived", "A text came in", received),
		},
		"recipient.opted_out": {
			post: toOperation(
				"onOptedOut",
				"A number wants no more messages",
				optedOut,
			),
		},
		"report.daily": {
			post: toOperation(
				"onDailyReport",
				"A day of UTC is over: what became of its messages",
				dailyReport,
				DAILY_REPORT,
			),
		},
		"webhook.disabled": {
			post: toOperation(
				"onWebhookDisabled",
				"Another webhook endpoint of the organization was disabled",
				disabled,
			),
		},
	};
}

function toOperation(
	operationId: string,
	summary: string,
	example: AnyEvent,
	more = "",
): Operation {
	const name = SCHEMAS[example.type] ?? "WebhookEvent";
	const schema = { $ref: `#/components/schemas/${name}` };
	return {
		operationId,
		summary,
		description: [more, DESCRIPTION].join(" ").trim(),
		tags: ["Webhooks"],
		security: [],
		parameters: PARAMETERS,
		requestBody: {
			required: true,
			content: { [JSON_TYPE]: { schema, example } },
		},
		responses: RESPONSES,
	};
}
