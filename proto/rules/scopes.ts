/** What an API key may be allowed to do, in the order of the public API's documents. */
export const scopes = [
	"sms:send",
	"sms:read",
	"whatsapp:send",
	"whatsapp:read",
	"account:read",
	"contacts:read",
	"contacts:write",
	"campaigns:read",
	"campaigns:write",
	"sender_ids:read",
	"sender_ids:write",
	"api_keys:read",
	"api_keys:write",
	"webhooks:read",
	"webhooks:write",
	"requests:read",
] as const;

export type Scope = (typeof scopes)[number];
