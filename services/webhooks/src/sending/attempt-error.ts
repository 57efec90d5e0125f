import { errors } from "undici";
import type { AttemptError } from "../domain/verdict.ts";
import { AddressRefused } from "./address-guard.ts";
import { EgressFailed } from "./egress-proxy.ts";

const BY_CODE: Readonly<Record<string, AttemptError>> = {
	ECONNREFUSED: "connection_refused",
	ECONNRESET: "connection_lost",
	EPIPE: "connection_lost",
	UND_ERR_SOCKET: "connection_lost",
	ETIMEDOUT: "timeout",
	UND_ERR_CONNECT_TIMEOUT: "timeout",
	UND_ERR_HEADERS_OVERFLOW: "invalid_response",
	UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "invalid_response",
};

/** Of Node's TLS layer and of OpenSSL. */
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|EPROTO)|CERT|SIGNATURE|ISSUER/;

export function toAttemptError(error: unknown): AttemptError {
	if (error instanceof AddressRefused) return error.reason;
	if (error instanceof EgressFailed) return "egress_failed";
	if (error instanceof AggregateError && error.errors.length > 0)
		return toAttemptError(error.errors[0]);
	if (error instanceof errors.HTTPParserError) return "invalid_response";
	const code = codeFrom(error);
	const known = BY_CODE[code];
	if (known !== undefined) return known;
	return TLS_CODE.test(code) ? "tls_failed" : "connection_failed";
}

function codeFrom(error: unknown): string {
	const { code } = (error ?? {}) as { code?: unknown };
	return typeof code === "string" ? code : "";
}
