export const info = {
	title: "Airtower API",
	version: "1.0.0",
	summary: "SMS and WhatsApp through your own operators.",
	description: [
		"JSON in and out. All paths are relative to `/api/v1`; all data is that of the organization whose API key is used.",
		"",
		"**Errors.** Every error has the same shape (`Error`): `error.code` is stable, `error.details` names every field at fault, `requestId` is that of the header `x-request-id`. Operations that take a key refuse unknown fields and query parameters.",
		"",
		"**Idempotency.** Send an `Idempotency-Key` with a POST. A repeated request with the same key and the same body gets the same status and the same body again, marked `idempotent-replayed: true`, for 24 hours. The same key with another body is 409 `idempotency_key_reused`. A key belongs to one path, and whether another takes it is not promised: use a new one for each request. Errors are not remembered: after a 4xx nothing has happened; after a 5xx, or without a response, only a repetition with the same key tells.",
		"",
		"**Rate limits.** Each key has a number of requests per 60-second window, given in the `X-RateLimit-*` headers of every authenticated response. Beyond it: 429 `rate_limited` with `Retry-After`.",
		"",
		"**Lists** run newest first. `limit` is 1 to 200, 50 by default; pass `nextCursor` on as `cursor` until it is null.",
		"",
		"**When no response comes**, or a 503, repeat the request with the same `Idempotency-Key`.",
	].join("\n"),
	license: { name: "Apache-2.0", identifier: "Apache-2.0" },
} as const;

export const tags = [
	{ name: "SMS", description: "Sending messages." },
	{
		name: "WhatsApp",
		description: "Templates, replies inside the service window, conversations.",
	},
	{ name: "Account", description: "Commercial state, quota and its ledger." },
	{ name: "Contacts", description: "Whom campaigns are sent to." },
	{ name: "Campaigns", description: "One SMS to many recipients." },
	{ name: "Sender IDs", description: "Who messages come from." },
	{ name: "API keys", description: "Keys of the organization." },
	{
		name: "Webhooks",
		description: "Endpoints that receive the outcome of messages.",
	},
	{
		name: "Service",
		description: "Version, health and documentation. No key needed.",
	},
] as const;

export const securitySchemes = {
	bearer: {
		type: "http",
		scheme: "bearer",
		description: "`Authorization: Bearer at_live_...`",
	},
	apiKey: {
		type: "apiKey",
		in: "header",
		name: "x-api-key",
		description: "In place of `Authorization`.",
	},
} as const;
