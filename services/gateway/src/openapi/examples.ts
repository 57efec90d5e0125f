const MESSAGE_ID = "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11";
const SENDER_ID = "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0";
const ENDPOINT_ID = "0199b0a2-7b3d-7f10-a4c9-2d5e8f7b6a90";
const EVENT_ID = "0199b0a4-8e22-7d41-b3f6-9a1c4e7d2b58";
const NOW = "2026-03-01T09:30:00.000Z";

export interface Examples {
	readonly request?: unknown;
	readonly reply: unknown;
}

const senderId = {
	id: SENDER_ID,
	value: "ACME",
	status: "approved",
	is_default: true,
	rejection_reason: null,
	created_at: NOW,
	decided_at: "2026-03-01T10:00:00.000Z",
};

const webhookEndpoint = {
	id: ENDPOINT_ID,
	url: "https://example.com/hooks/airtower",
	subscribed_events: ["message.delivered", "message.failed"],
	status: "active",
	disabled_reason: null,
	created_at: NOW,
};

/** One request and one answer of each operation, by operation id. */
export const examples: Readonly<Record<string, Examples>> = {
	getRoot: {
		reply: {
			name: "Airtower",
			version: "v1",
			docs: "/api/v1/docs",
			openapi: "/api/v1/openapi.json",
		},
	},
	getHealth: {
		reply: {
			status: "ok",
			version: "0.1.0",
			uptimeSeconds: 86_400,
			services: { accounts: "ok", messaging: "ok", webhooks: "ok" },
		},
	},
	sendSms: {
		request: {
			to: "+33612345678",
			message: "Your code is 123456",
			senderId: SENDER_ID,
			clientReference: "order-1042",
		},
		reply: {
			success: true,
			queued: true,
			status: "accepted",
			count: 1,
			remainingQuota: 9_999,
			provider: { code: "main", messageId: MESSAGE_ID, httpStatus: 202 },
		},
	},
	listSenderIds: { reply: { success: true, senderIds: [senderId] } },
	requestSenderId: {
		request: { value: "ACME" },
		reply: {
			success: true,
			senderId: {
				...senderId,
				status: "pending",
				is_default: false,
				decided_at: null,
			},
		},
	},
	listWebhooks: {
		reply: {
			success: true,
			webhookEndpoints: [webhookEndpoint],
			nextCursor: null,
		},
	},
	createWebhook: {
		request: {
			url: webhookEndpoint.url,
			subscribed_events: webhookEndpoint.subscribed_events,
		},
		reply: {
			success: true,
			webhookEndpoint,
			signingSecret: "at_whsec_5kq0VtY2mB8nXcR1sLw7DgJ4hFzP9aTeUiO3bNvMyQx",
		},
	},
	deleteWebhook: { reply: { success: true } },
};

const eventData = {
	message_id: MESSAGE_ID,
	channel: "sms",
	status: "delivered",
	to: "+33612345678",
	client_reference: "order-1042",
	campaign_id: null,
	error: null,
	occurred_at: NOW,
};

/** One callback of each event kind. */
export const eventExamples = {
	"message.delivered": {
		id: EVENT_ID,
		type: "message.delivered",
		created_at: NOW,
		data: eventData,
	},
	"message.failed": {
		id: EVENT_ID,
		type: "message.failed",
		created_at: NOW,
		data: {
			...eventData,
			status: "failed",
			error: {
				code: "undeliverable",
				message: "The operator could not deliver the message.",
			},
		},
	},
} as const;
