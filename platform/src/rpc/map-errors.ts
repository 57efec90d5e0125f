import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { DomainError } from "../runtime/domain-error.ts";
import { withRequestId } from "../runtime/request-context.ts";
import { isOutage } from "../runtime/transient-error.ts";
import { domainErrorFrom, toConnectError } from "./error-codec.ts";
import { callRecordKey } from "./observe-calls.ts";

/** Runs the handler in the scope of its request id and notes when it has succeeded. */
export const enterCall: Interceptor = (next) => async (req) => {
	const record = req.contextValues.get(callRecordKey);
	if (record === undefined) return next(req);
	const response = await withRequestId(record.requestId, () => next(req));
	record.succeeded = true;
	return response;
};

/**
 * Turns whatever a handler throws into what a caller may see: domain errors with their detail, also
 * those of the services it called; everything else is "internal error" with its cause kept inside.
 */
export const mapErrors: Interceptor = (next) => async (req) => {
	try {
		return await next(req);
	} catch (error) {
		const known = domainErrorFrom(error);
		if (known !== undefined) throw toConnectError(known);
		if (isUnimplemented(error)) throw error;
		if (isOutage(error)) throw toConnectError(toOutage(error));
		throw new ConnectError(
			"internal error",
			Code.Internal,
			undefined,
			undefined,
			error,
		);
	}
};

function toOutage(cause: unknown): DomainError {
	return new DomainError({
		kind: "unavailable",
		reason: "service_unavailable",
		message:
			"A service that is needed for this request cannot serve right now.",
		cause,
	});
}

function isUnimplemented(error: unknown): boolean {
	return (
		error instanceof ConnectError &&
		error.code === Code.Unimplemented &&
		!error.isWireError
	);
}
