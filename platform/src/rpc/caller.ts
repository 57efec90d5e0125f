import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import { DomainError } from "../runtime/domain-error.ts";
import type { Caller } from "./caller-token.ts";

export const callerKey = createContextKey<Caller | undefined>(undefined, {
	description: "verified caller",
});

/** The verified caller of this call. Throws on a public method, which has none. */
export function callerOf(context: HandlerContext): Caller {
	const caller = context.values.get(callerKey);
	if (caller === undefined)
		throw new Error(`${context.method.name} is public: it has no caller`);
	return caller;
}

/** Refuses a caller whose token is for another organization: forbidden, `organization_mismatch`. */
export function assertOrganization(
	context: HandlerContext,
	organizationId: string,
): void {
	const { organization } = callerOf(context);
	if (organization === "*" || organization === organizationId) return;
	throw new DomainError({
		kind: "forbidden",
		reason: "organization_mismatch",
		message: "The caller may not act for this organization.",
	});
}
