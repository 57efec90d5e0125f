const integer = { type: "integer" } as const;
const text = { type: "string" } as const;

/**
 * Headers of answers, by the name of their component. Those of the rate limit are absent when a
 * request was refused before its key was known.
 */
export const headers = {
	RequestId: {
		description:
			"Id of the request: the caller's X-Request-Id, or a new one. Quote it when you ask for help.",
		required: true,
		schema: text,
	},
	RateLimitLimit: {
		description: "Requests that the key may make in each 60-second window.",
		schema: integer,
	},
	RateLimitRemaining: {
		description: "Requests left in this window.",
		schema: { ...integer, minimum: 0 },
	},
	RateLimitReset: {
		description: "End of this window, seconds since the epoch.",
		schema: integer,
	},
	RetryAfter: {
		description: "Seconds to wait before the request is repeated.",
		schema: { ...integer, minimum: 1 },
	},
	IdempotentReplayed: {
		description:
			"`true` when the answer is that of an earlier request with the same Idempotency-Key.",
		schema: { ...text, const: "true" },
	},
} as const;

/** Headers of requests, by the name of their component. */
export const parameters = {
	RequestId: {
		name: "X-Request-Id",
		in: "header",
		description:
			"Your own id of the request; comes back in x-request-id. Ignored when it does not match.",
		schema: { ...text, pattern: "^[A-Za-z0-9._:-]{1,128}$" },
	},
	IdempotencyKey: {
		name: "Idempotency-Key",
		in: "header",
		description:
			"Any text of your own that names this request, for example a UUID. Repeats of the request with it have no second effect for 24 hours.",
		schema: { ...text, pattern: "^[A-Za-z0-9._:-]{1,255}$" },
	},
	ServiceTimestamp: {
		name: "x-service-timestamp",
		in: "header",
		required: true,
		description: "Unix seconds of this attempt.",
		schema: text,
	},
	ServiceSignature: {
		name: "x-service-signature",
		in: "header",
		required: true,
		description:
			"Lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>` under the endpoint's signing secret.",
		schema: { ...text, pattern: "^[0-9a-f]{64}$" },
	},
	ServiceEventId: {
		name: "x-service-event-id",
		in: "header",
		required: true,
		description: "Id of the event, the same on every repetition.",
		schema: text,
	},
	WebhookId: {
		name: "webhook-id",
		in: "header",
		required: true,
		description: "Standard Webhooks: id of the event.",
		schema: text,
	},
	WebhookTimestamp: {
		name: "webhook-timestamp",
		in: "header",
		required: true,
		description: "Standard Webhooks: Unix seconds of this attempt.",
		schema: text,
	},
	WebhookSignature: {
		name: "webhook-signature",
		in: "header",
		required: true,
		description:
			'Standard Webhooks: `v1,<base64>`. The key is the whole signing secret, `at_whsec_...`, as text: `new Webhook(secret, { format: "raw" })`.',
		schema: text,
	},
} as const;
