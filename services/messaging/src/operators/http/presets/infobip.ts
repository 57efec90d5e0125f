import type { DescriptionInput } from "../description.ts";

export const infobip: DescriptionInput = {
	about:
		"Infobip SMS API 2 (/sms/2/text/advanced), with delivery reports and inbound messages to URLs that end in ?token=<callbackToken>",
	settings: {
		apiKey: { about: "the API key", secret: true },
		callbackToken: {
			about: "a long random text of your own, the token in the callback's URL",
			secret: true,
			pattern: "[A-Za-z0-9_-]{16,200}",
		},
	},
	headers: { authorization: "App {apiKey}" },
	validity: { unit: "minutes", most: 2_880 },
	send: {
		method: "POST",
		path: "/sms/2/text/advanced",
		json: {
			messages: [
				{
					from: "{fromDigits}",
					destinations: [{ to: "{toDigits}" }],
					text: "{text}",
					validityPeriod: "{validity}",
					notifyUrl: "{callback}?token={callbackToken}",
					notifyContentType: "application/json",
					callbackData: "{messageId}",
				},
			],
		},
	},
	batch: { list: "messages", most: 100 },
	check: { method: "GET", path: "/account/1/balance" },
	response: {
		messages: "messages",
		recipient: "to",
		id: "messageId",
		error: "status.name",
		rules: [
			{
				at: "status.name",
				in: ["REJECTED_NOT_ENOUGH_CREDITS"],
				kind: "account",
			},
			{
				at: "status.name",
				in: ["REJECTED_SYSTEM_ERROR"],
				kind: "temporary",
			},
			{
				at: "status.name",
				in: ["REJECTED_FLOODING_FILTER", "REJECTED_DESTINATION_NOT_REGISTERED"],
				kind: "permanent",
				reason: "blocked",
			},
			{
				at: "status.groupName",
				in: ["REJECTED", "UNDELIVERABLE", "EXPIRED"],
				kind: "permanent",
			},
		],
	},
	callback: {
		receipts: "results",
		id: "messageId",
		status: "status.groupName",
		error: "error.name",
		to: "to",
		from: "from",
		states: {
			accepted: "intermediate",
			pending: "intermediate",
			delivered: "delivered",
			undeliverable: "undeliverable",
			expired: "expired",
			rejected: "rejected",
		},
		reasons: {
			EC_UNKNOWN_SUBSCRIBER: "unknown_subscriber",
			EC_UNIDENTIFIED_SUBSCRIBER: "unknown_subscriber",
			EC_ILLEGAL_SUBSCRIBER: "blocked",
			EC_CALL_BARRED: "blocked",
		},
		verify: {
			kind: "secret",
			in: "query",
			name: "token",
			value: "{callbackToken}",
		},
	},
	inbound: {
		texts: "results",
		id: "messageId",
		from: "from",
		to: "to",
		text: "text",
		parts: "smsCount",
	},
};
