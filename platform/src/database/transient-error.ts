import { DomainError } from "../runtime/domain-error.ts";
import { isUntrusted } from "./database-tls.ts";
import { postgresCode } from "./sql-errors.ts";

/** SQLSTATE classes and codes of a database that cannot serve right now. */
const OUTAGE_STATES = [
	"08", // connection exception
	"25P03",
	"25P04", // idle session or transaction timed out
	"25006", // read-only transaction: a standby, or a primary that has been demoted
	"28", // invalid authorization: a password that is being replaced, a role that is not there yet
	"3D", // unknown database: one that is being restored
	"40", // serialization failure, deadlock
	"53", // insufficient resources
	"55P03", // lock not available
	"57", // cancelled by a time-out, shutdown
	"58", // system error
];

/** SQLSTATE classes of a deployment that is not complete. */
const DEPLOYMENT_STATES = [
	"3F", // unknown schema
	"42", // unknown table or column, missing privilege
];

/** Codes of the driver and of Node. Any failed `connect` is an outage: a Unix-domain socket says ENOENT or EAGAIN. */
const TRANSIENT_CODES = new Set([
	"CONNECTION_CLOSED",
	"CONNECTION_ENDED",
	"CONNECTION_DESTROYED",
	"CONNECT_TIMEOUT",
	"ECONNREFUSED",
	"ECONNRESET",
	"EPIPE",
	"ETIMEDOUT",
	"EHOSTUNREACH",
	"ENETUNREACH",
	"ENOTFOUND",
	"EAI_AGAIN",
	"EMFILE",
]);

/** True for an error that says nothing about the event at hand: it is tried again for as long as it takes. */
export function isTransientError(error: unknown): boolean {
	return isOutage(error) || hasState(error, DEPLOYMENT_STATES);
}

/** True when something that is needed is down, slow or overloaded: the same call may succeed later. */
export function isOutage(error: unknown): boolean {
	if (error instanceof DomainError) return error.kind === "unavailable";
	if (!(error instanceof Error)) return false;
	if (postgresCode(error) !== undefined) return hasState(error, OUTAGE_STATES);
	if (error.name === "TimeoutError" || error.name === "AbortError") return true;
	if ("syscall" in error && error.syscall === "connect") return true;
	if ("code" in error && TRANSIENT_CODES.has(String(error.code))) return true;
	// A certificate that has expired, or is renewed in another order than its authority's files.
	return isUntrusted(error);
}

function hasState(error: unknown, states: readonly string[]): boolean {
	const state = postgresCode(error) ?? "";
	return states.some((prefix) => state.startsWith(prefix));
}
