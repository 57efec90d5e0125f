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
	| "invalid_response"
	| "secret_unreadable"
	| "endpoint_inactive";

/** What came of a POST: a response that was read to its end, or none. */
export type AttemptResult =
	| { readonly status: number; readonly retryAfter?: string | undefined }
	| { readonly error: AttemptError };

/** What becomes of the delivery. */
export type Verdict =
	| { readonly state: "delivered" }
	| {
			readonly state: "pending";
			readonly error: AttemptError;
			readonly delayMs: number;
	  }
	| { readonly state: "dead"; readonly error: AttemptError };

/**
 * Decides on the result of attempt number `attempt` (from 1): 2xx is success, 410 ends the delivery,
 * everything else is tried again until the schedule is used up. `random` is in [0, 1).
 */
export function judge(
	result: AttemptResult,
	attempt: number,
	now: Date,
	random: number,
): Verdict {
	const error = errorFrom(result);
	if (error === undefined) return { state: "delivered" };
	if (error === "gone" || error === "endpoint_inactive")
		return { state: "dead", error };
	const delayMs = retryDelayMs(attempt, random, requestedWaitMs(result, now));
	return delayMs === undefined
		? { state: "dead", error }
		: { state: "pending", error, delayMs };
}

/** What the receiver asked us to wait, ms; 0 when it did not. */
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
