import type { DescriptionInput } from "../description.ts";

export const twilio: DescriptionInput = {
	about:
		"Twilio, Messages resource of the API 2010-04-01, with status callbacks and incoming messages",
	address: "https://api.twilio.com",
	settings: {
		account: { about: "the Account SID, AC..." },
		token: {
			about: "the auth token, which also signs status callbacks",
			secret: true,
		},
		service: {
			about: "SID of a messaging service to send through, MG...",
			default: "",
		},
	},
	auth: { user: "{account}", password: "{token}" },
	validity: { unit: "seconds", most: 14_400 },
	send: {
		method: "POST",
		path: "/2010-04-01/Accounts/{account}/Messages.json",
		form: {
			To: "{to}",
			From: "{from}",
			Body: "{text}",
			MessagingServiceSid: "{service}",
			StatusCallback: "{callback}",
			ValidityPeriod: "{validity}",
		},
	},
	check: { method: "GET", path: "/2010-04-01/Accounts/{account}.json" },
	response: {
		id: "sid",
		error: "code",
		rules: [
			{ status: ["429"], kind: "throttled" },
			{
				// Queue overflow; account suspended; not authenticated; permission denied.
				at: "code",
				in: ["20003", "20005", "30002"],
				kind: "account",
			},
			{ at: "code", in: ["14107", "20429", "30001"], kind: "throttled" },
			// The recipient has opted out.
			{ at: "code", in: ["21610"], kind: "permanent", reason: "blocked" },
			// Not a number that can get SMS.
			{
				at: "code",
				in: ["21211", "21614"],
				kind: "permanent",
				reason: "unknown_subscriber",
			},
		],
	},
	callback: {
		id: "MessageSid",
		status: "MessageStatus",
		error: "ErrorCode",
		to: "To",
		from: "From",
		states: {
			accepted: "intermediate",
			scheduled: "intermediate",
			queued: "intermediate",
			sending: "intermediate",
			sent: "intermediate",
			delivered: "delivered",
			read: "delivered",
			undelivered: "undeliverable",
			failed: "operator_error",
			canceled: "operator_error",
		},
		reasons: {
			"21610": "blocked",
			"30003": "undeliverable",
			"30004": "blocked",
			"30005": "unknown_subscriber",
			"30006": "undeliverable",
			"30007": "blocked",
			"30036": "expired",
		},
		verify: {
			kind: "hmac",
			over: "url_and_form",
			algorithm: "sha1",
			encoding: "base64",
			in: "header",
			name: "x-twilio-signature",
			key: "{token}",
		},
	},
	inbound: {
		id: "MessageSid",
		from: "From",
		to: "To",
		text: "Body",
		parts: "NumSegments",
		// Other content types are error 12300, and text/plain is sent to the phone.
		response: { type: "text/xml", body: "<Response/>" },
	},
};
