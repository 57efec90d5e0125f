export const SCOPES = [
	"account:read",
	"api_keys:read",
	"api_keys:write",
	"campaigns:read",
	"campaigns:write",
	"contacts:read",
	"contacts:write",
	"sender_ids:read",
	"sender_ids:write",
	"sms:read",
	"sms:send",
	"webhooks:read",
	"webhooks:write",
	"whatsapp:read",
	"whatsapp:send",
] as const;

export type Scope = (typeof SCOPES)[number];

/** The wanted scopes in order and once each; undefined when one is unknown. */
export function readScopes(wanted: readonly string[]): Scope[] | undefined {
	const known = SCOPES.filter((scope) => wanted.includes(scope));
	return known.length === new Set(wanted).size ? known : undefined;
}
