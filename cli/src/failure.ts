import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { Code, ConnectError } from "@connectrpc/connect";
import { CommandError, UsageError } from "./command.ts";

export interface Failure {
	/** Stable snake_case code. */
	readonly reason: string;
	/** A sentence or two. */
	readonly message: string;
}

const NO_ANSWER = "service_unavailable";

/** True when a call that failed may have had its effect: no service has refused it. */
export function mayBeDone(error: unknown): boolean {
	const refusal = domainErrorFrom(error);
	if (refusal !== undefined) return refusal.reason === NO_ANSWER;
	const code = error instanceof ConnectError ? error.code : undefined;
	return code !== Code.Unauthenticated && code !== Code.Unimplemented;
}

/** Why a command failed, in words for the operator. */
export function describeFailure(error: unknown): Failure {
	if (error instanceof UsageError)
		return { reason: "usage", message: error.message };
	if (error instanceof CommandError)
		return { reason: error.reason, message: error.message };
	const refusal = domainErrorFrom(error);
	if (refusal?.reason === NO_ANSWER)
		return {
			reason: refusal.reason,
			message: "The service did not answer; is the system running?",
		};
	if (refusal !== undefined)
		return { reason: refusal.reason, message: refusal.message };
	return describeRpcError(error);
}

function describeRpcError(error: unknown): Failure {
	if (!(error instanceof ConnectError))
		return { reason: "internal_error", message: String(error) };
	switch (error.code) {
		case Code.Unauthenticated:
			return {
				reason: "unauthenticated",
				message: `The admin token was refused. ${error.rawMessage}`,
			};
		case Code.Unimplemented:
			return {
				reason: "unimplemented",
				message:
					"The service does not know this request; it is of another version, or has none of these.",
			};
		default:
			return { reason: "internal_error", message: error.rawMessage };
	}
}
