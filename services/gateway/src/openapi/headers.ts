import type { Ref } from "./document.ts";

const integer = { type: "integer" } as const;
const text = { type: "string" } as const;

/**
 * Headers of responses, by the name of their component. Those of the rate limit are absent when a
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
			"`true` when the response is that to an earlier request with the same Idempotency-Key.",
		schema: { ...text, const: "true" },
	},
} as const;

/** The rate limit's headers, each with its component. */
export const rateHeaders = {
	"x-ratelimit-limit": "RateLimitLimit",
	"x-ratelimit-remaining": "RateLimitRemaining",
	"x-ratelimit-reset": "RateLimitReset",
} as const;

/** References to the components of headers. */
export function headerRefs(
	named: Readonly<Record<string, keyof typeof headers>>,
): Record<string, Ref> {
	return Object.fromEntries(
		Object.entries(named).map(([name, component]) => [
			name,
			{ $ref: `#/components/headers/${component}` },
		]),
	);
}

/** A header of every callback. */
const callbackHeader = (
	name: string,
	description: string,
	schema: object = text,
) => ({ name, in: "header", required: true, description, schema });

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
	ServiceTimestamp: callbackHeader(
		"x-service-timestamp",
		"Unix seconds of this attempt.",
	),
	ServiceSignature: callbackHeader(
		"x-service-signature",
		"Lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>` under the endpoint's signing secret.",
		{ ...text, pattern: "^[0-9a-f]{64}$" },
	),
	ServiceEventId: callbackHeader(
		"x-service-event-id",
		"Id of the event, the same on every repetition.",
	),
	WebhookId: callbackHeader(
		"webhook-id",
		"Standard Webhooks: id of the event.",
	),
	WebhookTimestamp: callbackHeader(
		"webhook-timestamp",
		"Standard Webhooks: Unix seconds of this attempt.",
	),
	WebhookSignature: callbackHeader(
		"webhook-signature",
		'Standard Webhooks: `v1,<base64>`. The key is the whole signing secret, `at_whsec_...`, as text: `new Webhook(secret, { format: "raw" })`.',
	),
} as const;
