import type { DescriptionInput } from "../description.ts";

export const vonage: DescriptionInput = {
	about:
		"Vonage SMS API (once Nexmo), with signed delivery receipts and inbound SMS: message signatures by SHA-256 HMAC, set in its dashboard",
	address: "https://rest.nexmo.com",
	settings: {
		account: { about: "the API key" },
		secret: { about: "the API secret", secret: true },
		signature: {
			about:
				"the signature secret, which signs delivery receipts and inbound SMS",
			secret: true,
		},
	},
	validity: { unit: "milliseconds", least: 20_000, most: 604_800_000 },
	encodings: { gsm7: "text", ucs2: "unicode" },
	send: {
		method: "POST",
		path: "/sms/json",
		form: {
			api_key: "{account}",
			api_secret: "{secret}",
			from: "{fromDigits}",
			to: "{toDigits}",
			text: "{text}",
			type: "{encoding}",
			ttl: "{validity}",
			"status-report-req": "1",
			callback: "{callback}",
			"client-ref": "{messageId}",
		},
	},
	check: {
		method: "GET",
		path: "/account/get-balance",
		query: { api_key: "{account}", api_secret: "{secret}" },
	},
	response: {
		segments: "messages",
		id: "message-id",
		error: "status",
		rules: [
			{ at: "status", in: ["0"], kind: "accepted" },
			// Throttled; too many connections.
			{ at: "status", in: ["1", "10"], kind: "throttled" },
			{ at: "status", in: ["5"], kind: "temporary" },
			// Credentials, suspended, no credit, not enabled for HTTP, signature.
			{ at: "status", in: ["4", "8", "9", "11", "14"], kind: "account" },
			{ at: "status", in: ["7"], kind: "permanent", reason: "blocked" },
			{ at: "status", kind: "permanent" },
		],
	},
	callback: {
		id: "messageId",
		status: "status",
		error: "err-code",
		to: "msisdn",
		from: "to",
		states: {
			accepted: "intermediate",
			buffered: "intermediate",
			unknown: "intermediate",
			delivered: "delivered",
			expired: "expired",
			failed: "undeliverable",
			rejected: "rejected",
			deleted: "operator_error",
		},
		reasons: {
			"3": "unknown_subscriber",
			"4": "blocked",
			"6": "blocked",
			"9": "unknown_subscriber",
			"13": "blocked",
			"14": "blocked",
		},
		verify: {
			kind: "hmac",
			over: "fields",
			algorithm: "sha256",
			encoding: "hex",
			in: "field",
			name: "sig",
			key: "{signature}",
		},
	},
	inbound: {
		id: "messageId",
		from: "msisdn",
		to: "to",
		text: "text",
		octets: "data",
		header: "udh",
		encoding: "type",
		encodings: { text: "gsm7", unicode: "ucs2", binary: "binary" },
		concat: {
			reference: "concat-ref",
			total: "concat-total",
			number: "concat-part",
		},
	},
};
