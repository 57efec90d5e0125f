import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { isOutage } from "../database/transient-error.ts";
import { type DomainError, unavailable } from "../runtime/domain-error.ts";
import { MissingKeyError } from "../sealing/sealed-secret.ts";
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
		// Clients are told 503; admins are shown which setting lacks the key.
		if (error instanceof MissingKeyError)
			throw toConnectError(toOutage(error, error.message));
		throw internalError(error);
	}
};

function toOutage(
	cause: unknown,
	message = "A service that is needed for this request cannot serve right now.",
): DomainError {
	return unavailable("service_unavailable", message, { cause });
}

function isUnimplemented(error: unknown): boolean {
	return (
		error instanceof ConnectError &&
		error.code === Code.Unimplemented &&
		!error.isWireError
	);
}
