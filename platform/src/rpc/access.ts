import { Access, access } from "@airtower/proto/common/v1/access";
import { Health } from "@airtower/proto/grpc/health/v1/health";
import { ServerReflection } from "@airtower/proto/grpc/reflection/v1/reflection";
import { ServerReflection as ServerReflectionAlpha } from "@airtower/proto/grpc/reflection/v1alpha/reflection";
import { type DescMethod, getOption } from "@bufbuild/protobuf";
import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import { callerKey } from "./caller.ts";
import type { Caller } from "./caller-token.ts";
import { InvalidCallerToken, type TokenVerifier } from "./token-verifier.ts";

/** Standard services: public, and their contracts cannot carry our option. */
const STANDARD_SERVICES: ReadonlySet<string> = new Set([
	Health.typeName,
	ServerReflection.typeName,
	ServerReflectionAlpha.typeName,
]);

/** True for the methods of the standard health and reflection services. */
export function isStandardMethod(method: DescMethod): boolean {
	return STANDARD_SERVICES.has(method.parent.typeName);
}

/**
 * Lets a call in by the `access` option of its method; a method that declares none is refused.
 * Refusals carry no ErrorDetail: they concern the calling service, not the client behind it.
 */
export function createAccessRule(
	verify: TokenVerifier,
): (context: HandlerContext) => Promise<void> {
	return async (context) => {
		const rule = isStandardMethod(context.method)
			? Access.PUBLIC
			: getOption(context.method, access);
		if (rule === Access.PUBLIC) return;
		if (rule !== Access.CALLER && rule !== Access.ADMIN)
			throw denied("The method declares no access rule.");
		const caller = await authenticate(verify, context.requestHeader);
		if (rule === Access.ADMIN && caller.role !== "admin")
			throw denied('The method needs a caller token with the role "admin".');
		context.values.set(callerKey, caller);
	};
}

async function authenticate(
	verify: TokenVerifier,
	headers: Headers,
): Promise<Caller> {
	const header = headers.get("authorization");
	if (header === null)
		throw new ConnectError(
			"The caller token is missing.",
			Code.Unauthenticated,
		);
	const token = /^bearer +(\S+)$/i.exec(header)?.[1] ?? "";
	try {
		return await verify(token);
	} catch (error) {
		if (!(error instanceof InvalidCallerToken)) throw error;
		throw new ConnectError(error.message, Code.Unauthenticated);
	}
}

function denied(message: string): ConnectError {
	return new ConnectError(message, Code.PermissionDenied);
}
