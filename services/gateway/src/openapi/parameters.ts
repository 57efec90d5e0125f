import type { Ref } from "./document.ts";

const callbackHeader = (
	name: string,
	description: string,
	schema: object = { type: "string" },
) => ({ name, in: "header", required: true, description, schema });

export const parameters = {
	RequestId: {
		name: "X-Request-Id",
		in: "header",
		description: [
			"Your own id of the request; comes back in x-request-id when it has 1 to 128 characters",
			"of A-Z, a-z, 0-9, '.', '_', ':' and '-'. Any other is ignored: the request gets a new one.",
		].join(" "),
		schema: { type: "string" },
	},
	IdempotencyKey: {
		name: "Idempotency-Key",
		in: "header",
		description: [
			"Any text of your own that names this request, for example a UUID.",
			"Repeats of the request with it have no second effect for 24 hours.",
		].join(" "),
		schema: { type: "string", pattern: "^[A-Za-z0-9._:-]{1,255}$" },
	},
	IfNoneMatch: {
		name: "If-None-Match",
		in: "header",
		description: "ETag of the version that the client has.",
		schema: { type: "string" },
	},
	ServiceTimestamp: callbackHeader(
		"x-service-timestamp",
		"Unix seconds of this attempt.",
	),
	ServiceSignature: callbackHeader(
		"x-service-signature",
		"Lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>` under the endpoint's signing secret.",
		{ type: "string", pattern: "^[0-9a-f]{64}$" },
	),
	ServiceSignatureNext: {
		...callbackHeader(
			"x-service-signature-next",
			[
				"For 24 hours after the secret was replaced: the same under the new secret.",
				"`x-service-signature` is then under the old one.",
			].join(" "),
			{ type: "string", pattern: "^[0-9a-f]{64}$" },
		),
		required: false,
	},
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
		[
			"Standard Webhooks: `v1,<base64>`, after a replacement of the secret one for each that signs, with spaces between.",
			"Verify with `new Webhook(standardWebhooksSecret)`; the key is the whole signing secret, `at_whsec_...`, as text.",
		].join(" "),
	),
} as const;

export function parameterRef(name: keyof typeof parameters): Ref {
	return { $ref: `#/components/parameters/${name}` };
}
