export const allScopes = [
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
] as const;
export type Scope = (typeof allScopes)[number];

/** Who may use a route. A route that declares none keeps the gateway from starting. */
export type Access =
	| { readonly kind: "public" }
	| {
			readonly kind: "key";
			readonly scope: Scope;
			/** True for what a suspended or closed organization may still do. */
			readonly whileSuspended?: boolean;
	  };

export const publicAccess: Access = { kind: "public" };

/** An API key with the scope, of an organization that is not suspended. */
export function scopeAccess(
	scope: Scope,
	options: { readonly whileSuspended?: boolean } = {},
): Access {
	return { kind: "key", scope, ...options };
}
