import { Access, access } from "@airtower/proto/common/v1/access";
import { getOption } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { callerKey } from "./caller.ts";
import type { Caller } from "./caller-token.ts";
import { isStandardMethod } from "./standard/methods.ts";
import { InvalidCallerToken, type TokenVerifier } from "./token-verifier.ts";

/** Refusals carry no ErrorDetail: they concern the calling service, not the client behind it. */
export function createAccessRule(
	verify: TokenVerifier,
): (context: HandlerContext) => Promise<void> {
	return async (context) => {
		const rule = isStandardMethod(context.method)
			? Access.PUBLIC
			: getOption(context.method, access);
		if (rule === Access.PUBLIC) return;
		if (rule !== Access.CALLER && rule !== Access.ADMIN)
			throw refusal("The method declares no access rule.");
		const caller = await authenticate(verify, context.requestHeader);
		if (rule === Access.ADMIN && caller.role !== "admin")
			throw refusal('The method needs a caller token with the role "admin".');
		context.values.set(callerKey, caller);
	};
}

async function authenticate(
	verify: TokenVerifier,
	headers: Headers,
): Promise<Caller> {
	const header = headers.get("authorization");
	if (header === null)
		throw refusal("The caller token is missing.", Code.Unauthenticated);
	const token = /^bearer +(\S+)$/i.exec(header)?.[1] ?? "";
	try {
		return await verify(token);
	} catch (error) {
		if (!(error instanceof InvalidCallerToken)) throw error;
		throw refusal(error.message, Code.Unauthenticated);
	}
}

function refusal(message: string, code = Code.PermissionDenied): ConnectError {
	return new ConnectError(message, code);
}
