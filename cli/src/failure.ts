import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { ConfigError } from "@airtower/platform/runtime/config";
import { Code, ConnectError } from "@connectrpc/connect";
import { CommandError } from "./errors.ts";

interface Failure {
	readonly reason: string;
	readonly message: string;
}

const UNAVAILABLE = "service_unavailable";
const NO_RESPONSE = "The service did not respond; is the system running?";
const OTHER_VERSION =
	"The service does not know this request; it is of another version, or has none of these.";

/** True when a call that failed may have had its effect: no service has refused it. */
export function mayBeDone(error: unknown): boolean {
	const refusal = domainErrorFrom(error);
	if (refusal !== undefined) return refusal.reason === UNAVAILABLE;
	const code = error instanceof ConnectError ? error.code : undefined;
	return code !== Code.Unauthenticated && code !== Code.Unimplemented;
}

/** Why a command failed, in words for the admin. */
export function describeFailure(error: unknown): Failure {
	if (error instanceof CommandError) return error;
	if (error instanceof ConfigError)
		return { reason: "failed", message: error.message };
	const refusal = domainErrorFrom(error);
	if (refusal?.reason === UNAVAILABLE)
		return { reason: UNAVAILABLE, message: NO_RESPONSE };
	if (refusal !== undefined) return refusal;
	return describeRpcError(error);
}

function describeRpcError(error: unknown): Failure {
	if (!(error instanceof ConnectError))
		return { reason: "internal_error", message: String(error) };
	const { code, rawMessage } = error;
	if (code === Code.Unauthenticated)
		return {
			reason: "unauthenticated",
			message: `The admin token was refused. ${rawMessage}`,
		};
	if (code === Code.Unimplemented)
		return { reason: "unimplemented", message: OTHER_VERSION };
	return { reason: "internal_error", message: rawMessage };
}
