import { parseRetryAfter, retryDelayMs } from "./retry-delay.ts";

/** Why an attempt failed: a small closed set, shown to operators and used as a metric label. */
export type AttemptError =
	| "http_status"
	| "redirect"
	| "gone"
	| "timeout"
	| "dns_failed"
	| "address_not_allowed"
	| "connection_refused"
	| "connection_lost"
	| "connection_failed"
	| "tls_failed"
	| "egress_failed"
	| "invalid_response"
	| "secret_unreadable"
	| "endpoint_inactive";

/** Failures of the deployment: its proxy is away, a key left its ring. */
const OWN_FAILURES: ReadonlySet<string> = new Set<AttemptError>([
	"egress_failed",
	"secret_unreadable",
]);

/** Until the next attempt after a failure of our own, whichever attempt it was. */
export const OWN_FAILURE_WAIT_MS = 10_000;
/** An event that failures of the deployment have kept back for so long is given up; it can be queued again. */
export const MAX_OWN_FAILURE_MS = 7 * 24 * 3_600_000;

export type AttemptResult =
	| { readonly status: number; readonly retryAfter?: string | undefined }
	| { readonly error: AttemptError };

export type Verdict =
	| { readonly state: "delivered" }
	| {
			readonly state: "pending";
			readonly error: AttemptError;
			readonly delayMs: number;
	  }
	| { readonly state: "dead"; readonly error: AttemptError };

/** `attempt` counts those that were the receiver's from 1; `random` is in [0, 1). */
export function judge(
	result: AttemptResult,
	attempt: number,
	now: Date,
	random: number,
	occurredAt: Date,
): Verdict {
	const error = errorFrom(result);
	if (error === undefined) return { state: "delivered" };
	if (error === "gone" || error === "endpoint_inactive")
		return { state: "dead", error };
	if (isOwnFailure(error))
		return now.getTime() - occurredAt.getTime() > MAX_OWN_FAILURE_MS
			? { state: "dead", error }
			: { state: "pending", error, delayMs: OWN_FAILURE_WAIT_MS };
	const delayMs = retryDelayMs(attempt, random, requestedWaitMs(result, now));
	return delayMs === undefined
		? { state: "dead", error }
		: { state: "pending", error, delayMs };
}

export function isOwnFailure(error: string | null): boolean {
	return error !== null && OWN_FAILURES.has(error);
}

export function requestedWaitMs(result: AttemptResult, now: Date): number {
	return "error" in result ? 0 : parseRetryAfter(result.retryAfter, now);
}

function errorFrom(result: AttemptResult): AttemptError | undefined {
	if ("error" in result) return result.error;
	const { status } = result;
	if (status >= 200 && status < 300) return undefined;
	if (status === 410) return "gone";
	return status >= 300 && status < 400 ? "redirect" : "http_status";
}
