import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import type { Logger } from "../runtime/log.ts";
import { internalError } from "./error-codec.ts";
import { isProbe } from "./standard/methods.ts";

const ALARMING = new Set([Code.Internal, Code.Unknown, Code.DataLoss]);

export function findFailure(
	reason: unknown,
	succeeded: boolean,
): ConnectError | undefined {
	const gone = new ConnectError("the caller went away", Code.Canceled);
	if (isReset(reason)) return gone;
	if (reason instanceof ConnectError) return blameCaller(reason);
	const withoutReason =
		reason instanceof DOMException && reason.name === "AbortError";
	if (withoutReason) return succeeded ? undefined : gone;
	return internalError(reason);
}

/** The library calls a message that it cannot parse its own fault, and tells the code after the call's signal. */
function blameCaller(error: ConnectError): ConnectError {
	return error.code === Code.Internal &&
		error.rawMessage.startsWith("parse binary: ")
		? Object.assign(error, { code: Code.InvalidArgument })
		: error;
}

/** With whatever code: connect-es uses INTERNAL_ERROR at its own deadline. */
function isReset(reason: unknown): boolean {
	return (
		reason instanceof ConnectError &&
		reason.rawMessage.startsWith("http/2 stream closed with error code")
	);
}

export function writeLine(
	log: Logger,
	context: HandlerContext,
	failure: ConnectError | undefined,
	fields: Record<string, unknown>,
): void {
	if (failure === undefined) {
		const level = isProbe(context.method) ? "debug" : "info";
		log[level](fields, "rpc");
	} else if (ALARMING.has(failure.code)) {
		log.error({ ...fields, err: failure.cause ?? failure }, "rpc failed");
	} else {
		const { rawMessage: refusal, cause } = failure;
		const why = cause instanceof Error ? { cause: cause.message } : {};
		log.info({ ...fields, refusal, ...why }, "rpc refused");
	}
}
