import { withJitter } from "@airtower/platform/runtime/retry-delay";

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
const MAX_OWN_FAILURE_MS = 7 * 24 * 3_600_000;

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

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const RETRY_DELAYS_MS: readonly number[] = [
	5 * SECOND_MS,
	MINUTE_MS,
	5 * MINUTE_MS,
	30 * MINUTE_MS,
	2 * HOUR_MS,
	5 * HOUR_MS,
	10 * HOUR_MS,
	10 * HOUR_MS,
];

export const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/** Whole ms, the longer of ours and the receiver's; undefined after the last `attempt`. `random` is in [0, 1). */
export function retryDelayMs(
	attempt: number,
	random: number,
	retryAfterMs = 0,
): number | undefined {
	const base = RETRY_DELAYS_MS[attempt - 1];
	if (base === undefined) return undefined;
	return Math.max(
		withJitter(base, random),
		Math.min(retryAfterMs, MAX_RETRY_AFTER_MS),
	);
}

/** RFC 9110 section 10.2.3, as ms from `now`; 0 when absent, in the past or malformed. */
export function parseRetryAfter(header: string | undefined, now: Date): number {
	if (header === undefined) return 0;
	const text = header.trim();
	if (/^\d+$/.test(text)) return Number(text) * SECOND_MS;
	if (!/[a-z]/i.test(text)) return 0;
	const at = Date.parse(text);
	return Number.isNaN(at) ? 0 : Math.max(0, at - now.getTime());
}
