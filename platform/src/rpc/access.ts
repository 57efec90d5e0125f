import { type Access, access } from "@airtower/proto/common/v1/access";
import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import type { Caller } from "../identity/caller-token.ts";
import { ADMIN } from "../identity/jwk.ts";
import {
	InvalidCallerToken,
	type TokenVerifier,
} from "../identity/token-verifier.ts";
import { callerKey, onKnownKey } from "./caller.ts";
import { isHealthMethod, isStandardMethod } from "./standard/methods.ts";

type AccessRule = Pick<Access, "callers" | "everyOrganization" | "public">;

/** Who may call a method, as its contract says. */
export function accessOf(method: DescMethod): AccessRule {
	return getOption(method, access);
}

/** Refusals carry no ErrorDetail: they concern the calling service, not the client behind it. */
export function createAccessRule(
	verify: TokenVerifier,
	{ openReflection }: { readonly openReflection: boolean },
): (context: HandlerContext) => Promise<void> {
	const rules = new Map<DescMethod, AccessRule>();
	const ruleOf = (method: DescMethod) => {
		const rule = rules.get(method) ?? accessOf(method);
		rules.set(method, rule);
		return rule;
	};
	return async (context) => {
		if (isStandardMethod(context.method)) {
			const isOpen = isHealthMethod(context.method) || openReflection;
			if (!isOpen) await authenticate(verify, context);
			return;
		}
		const rule = ruleOf(context.method);
		if (rule.public) return;
		if (rule.callers.length === 0)
			throw refusal("The method declares no access rule.");
		const caller = await authenticate(verify, context);
		assertServed(rule, caller);
		context.values.set(callerKey, caller);
	};
}

function assertServed(rule: AccessRule, { issuer, organization }: Caller) {
	const [kind = ""] = issuer.split(":");
	if (!rule.callers.includes(kind))
		throw refusal(`The method does not serve "${issuer}".`);
	if (organization === "*" && !rule.everyOrganization && issuer !== ADMIN)
		throw refusal("The method needs a caller token for one organization.");
}

/** Who has a valid token is authenticated, also where the method does not serve it. */
async function authenticate(
	verify: TokenVerifier,
	{ requestHeader, values }: HandlerContext,
): Promise<Caller> {
	const header = requestHeader.get("authorization");
	if (header === null)
		throw refusal("The caller token is missing.", Code.Unauthenticated);
	const token = /^bearer +(\S+)$/i.exec(header)?.[1] ?? "";
	try {
		const caller = await verify(token);
		values.get(onKnownKey)();
		return caller;
	} catch (error) {
		if (!(error instanceof InvalidCallerToken)) throw error;
		throw refusal(error.message, Code.Unauthenticated);
	}
}

function refusal(message: string, code = Code.PermissionDenied): ConnectError {
	return new ConnectError(message, code);
}
