import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import { DomainError } from "../runtime/domain-error.ts";
import type { Caller } from "./caller-token.ts";

export const callerKey = createContextKey<Caller | undefined>(undefined, {
	description: "verified caller",
});

/** Throws on a public method, which has no caller. */
export function callerOf(context: HandlerContext): Caller {
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
	throw new DomainError({
		kind: "forbidden",
		reason: "organization_mismatch",
		message: "The caller may not act for this organization.",
	});
}
