import type { Ref } from "./document.ts";

const integer = { type: "integer" } as const;
const text = { type: "string" } as const;

export const headers = {
	RequestId: {
		description:
			"Id of the request: the caller's X-Request-Id, or a new one. Quote it when you ask for help.",
		required: true,
		schema: text,
	},
	RateLimitLimit: {
		description: [
			"Requests that the key, or all keys of the organization, may make in each 60-second window:",
			"of the two that with less left.",
		].join(" "),
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
	ETag: {
		description: "Tag of this version, for If-None-Match.",
		required: true,
		schema: text,
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

export const rateHeaders = {
	"x-ratelimit-limit": "RateLimitLimit",
	"x-ratelimit-remaining": "RateLimitRemaining",
	"x-ratelimit-reset": "RateLimitReset",
} as const;

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
