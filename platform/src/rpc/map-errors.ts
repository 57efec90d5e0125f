import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { isOutage } from "../database/transient-error.ts";
import { type DomainError, unavailable } from "../runtime/domain-error.ts";
import {
	domainErrorFrom,
	internalError,
	toConnectError,
} from "./error-codec.ts";

/** Domain errors pass with their detail; everything else is "internal error" with its cause kept inside. */
export const mapErrors: Interceptor = (next) => async (req) => {
	try {
		return await next(req);
	} catch (error) {
		const known = domainErrorFrom(error);
		if (known !== undefined) throw toConnectError(known);
		if (isUnimplemented(error)) throw error;
		if (isOutage(error)) throw toConnectError(toOutage(error));
		throw internalError(error);
	}
};

function toOutage(cause: unknown): DomainError {
	return unavailable(
		"service_unavailable",
		"A service that is needed for this request cannot serve right now.",
		{ cause },
	);
}

function isUnimplemented(error: unknown): boolean {
	return (
		error instanceof ConnectError &&
		error.code === Code.Unimplemented &&
		!error.isWireError
	);
}
