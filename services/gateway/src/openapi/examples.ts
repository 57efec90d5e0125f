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

const contact = {
	id: 42,
	name: "Ada Lovelace",
	phone: "+33612345678",
	email: "ada@example.com",
	tags: ["gold", "paris"],
	created_at: NOW,
};

const campaign = {
	id: "0199b0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
	name: "Spring sale",
	status: "sending",
	status_reason: null,
	message_template: "Hello {{name|there}}, 20 % off until Sunday.",
	sender_id: SENDER_ID,
	sender_name: "ACME",
	audience_tags: ["gold"],
	audience_tag_match_mode: "all",
	scheduled_at: null,
	started_at: NOW,
	completed_at: null,
	created_at: NOW,
	stats: {
		audience: 1_200,
		skipped: 0,
		accepted: 1_200,
		delivered: 1_180,
		failed: 4,
		pending: 16,
	},
};

const apiKey = {
	id: "0199b0a6-2d3e-7f40-9b5c-6d7e8f9a0b1c",
	name: "billing backend",
	prefix: "at_live_5kq0****",
	scopes: ["sms:send"],
	status: "active",
	created_at: NOW,
	expires_at: null,
	last_used_at: null,
};

const phoneNumberId = "0199b0a7-3e4f-7051-8c6d-7e8f9a0b1c2d";

const whatsappMessage = {
	id: MESSAGE_ID,
	direction: "outbound",
	type: "template",
	recipient: "+33612345678",
	phone_number_id: phoneNumberId,
	status: "delivered",
	billing_category: "utility",
	template_name: "order_shipped",
	template_language: "en_US",
	error: null,
	client_reference: "order-1042",
	created_at: NOW,
	sent_at: NOW,
	delivered_at: NOW,
	read_at: null,
};

const whatsappExamples: Readonly<Record<string, Examples>> = {
	listWhatsAppMessages: {
		reply: { success: true, messages: [whatsappMessage], nextCursor: null },
	},
	sendWhatsAppMessage: {
		request: {
			type: "template",
			to: "+33612345678",
			phoneNumberId,
			template: {
				name: "order_shipped",
				language: "en_US",
				category: "utility",
				parameters: ["1042"],
			},
			clientReference: "order-1042",
		},
		reply: {
			success: true,
			queued: true,
			status: "accepted",
			messageId: MESSAGE_ID,
			clientReference: "order-1042",
		},
	},
	listWhatsAppTemplates: {
		reply: {
			success: true,
			templates: [
				{
					id: "0199b0a8-4f50-7162-9d7e-8f9a0b1c2d3e",
					name: "order_shipped",
					language: "en_US",
					category: "utility",
					status: "approved",
					body: "Your order {{1}} is on its way.",
					parameter_count: 1,
					created_at: NOW,
					updated_at: NOW,
				},
			],
			nextCursor: null,
		},
	},
	listWhatsAppConversations: {
		reply: {
			success: true,
			conversations: [
				{
					id: "0199b0a9-5061-7273-8e8f-9a0b1c2d3e4f",
					phone_number_id: phoneNumberId,
					recipient: "+33612345678",
					status: "open",
					window_opened_at: NOW,
					window_expires_at: "2026-03-02T09:30:00.000Z",
					created_at: NOW,
					last_message_at: NOW,
				},
			],
			nextCursor: null,
		},
	},
};

const accountExamples: Readonly<Record<string, Examples>> = {
	getAccount: {
		reply: {
			success: true,
			account: {
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
			},
		},
	},
	listUsage: {
		reply: {
			success: true,
			entries: [
				{
					id: "0199b0a4-5f1d-7000-8000-000000000001",
					kind: "usage",
					channel: "sms",
					units: -1,
					balance_after: 9_999,
					message_id: MESSAGE_ID,
					campaign_id: null,
					note: null,
					created_at: NOW,
				},
			],
			nextCursor: null,
		},
	},
	listApiKeys: {
		reply: { success: true, apiKeys: [apiKey], nextCursor: null },
	},
	createApiKey: {
		request: { name: apiKey.name, scopes: apiKey.scopes },
		reply: {
			success: true,
			apiKey,
			secret: "at_live_5kq0VtY2mB8nXcR1sLw7DgJ4hFzP9aTe4Xk2Qd",
		},
	},
	deleteApiKey: { reply: { success: true } },
};

const campaignExamples: Readonly<Record<string, Examples>> = {
	listContacts: {
		reply: { success: true, contacts: [contact], nextCursor: null },
	},
	createContact: {
		request: {
			name: contact.name,
			phone: contact.phone,
			email: contact.email,
			tags: contact.tags,
		},
		reply: { success: true, contact },
	},
	deleteContact: { reply: { success: true } },
	listCampaigns: {
		reply: { success: true, campaigns: [campaign], nextCursor: null },
	},
	createCampaign: {
		request: {
			name: campaign.name,
			message_template: campaign.message_template,
			sender_id: SENDER_ID,
			audience_tags: campaign.audience_tags,
			audience_tag_match_mode: "all",
		},
		reply: { success: true, campaign },
	},
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
			services: {
				accounts: "ok",
				messaging: "ok",
				whatsapp: "ok",
				campaigns: "ok",
				webhooks: "ok",
			},
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
	...whatsappExamples,
	...accountExamples,
	...campaignExamples,
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
