import type { Scope } from "@airtower/proto/rules/scopes";

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
