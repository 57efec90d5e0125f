import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import type { Caller } from "../identity/caller-token.ts";
import { forbidden } from "../runtime/domain-error.ts";

export const callerKey = createContextKey<Caller | undefined>(undefined, {
	description: "verified caller",
});

/** Network address from which a call came; empty when its connection is gone. */
export const peerAddressKey = createContextKey("", {
	description: "peer address",
});

/** Tells that the connection's peer has shown who it is. */
export const onKnownKey = createContextKey<() => void>(() => undefined, {
	description: "called once the peer is known",
});

/** Throws on a public method, which has no caller. */
export function callerOf(
	context: Pick<HandlerContext, "method" | "values">,
): Caller {
	const caller = context.values.get(callerKey);
	if (caller === undefined)
		throw new Error(`${context.method.name} is public: it has no caller`);
	return caller;
}

export function assertOrganization(
	context: HandlerContext,
	organizationId: string,
): void {
	const { organization } = callerOf(context);
	if (organization === "*" || organization === organizationId) return;
	throw forbidden(
		"organization_mismatch",
		"The caller may not act for this organization.",
	);
}
