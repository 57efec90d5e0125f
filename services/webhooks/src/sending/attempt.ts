import type { Clock } from "@airtower/platform/runtime/clock";
import {
	continueSpan,
	endSpan,
	SpanKind,
} from "@airtower/platform/tracing/spans";
import { callbackHeaders, type Secrets } from "../domain/callback.ts";
import {
	type AttemptError,
	type AttemptResult,
	isOwnFailure,
	judge,
	OWN_FAILURE_WAIT_MS,
	requestedWaitMs,
	type Verdict,
} from "../domain/verdict.ts";
import type { ClaimedDelivery, Settlement } from "../store/delivery-queue.ts";
import type { Telemetry } from "../telemetry.ts";
import type { EndpointQueues } from "./endpoint-queues.ts";
import type { Poster } from "./poster.ts";

/** Longest pause that one Retry-After puts on all deliveries of its endpoint, ms. */
const MAX_ENDPOINT_PAUSE_MS = 60_000;

export type Recipient =
	| { readonly url: string; readonly secrets: Secrets }
	| { readonly error: AttemptError };

/** A claimed delivery with where it goes, or why it cannot go there. */
export interface PreparedDelivery extends ClaimedDelivery {
	readonly recipient: Recipient;
}

export interface AttemptOptions {
	readonly telemetry: Telemetry;
	readonly clock: Clock;
	/** In [0, 1). */
	readonly random: () => number;
	readonly poster: Poster;
	readonly queues: EndpointQueues;
}

/** Undefined when the process has stood still since the claim: others may have it now, or the endpoint is deleted. */
export async function attemptDelivery(
	options: AttemptOptions,
	{ recipient, ...delivery }: PreparedDelivery,
	mayWrite: () => boolean,
): Promise<Settlement | undefined> {
	const startedAt = performance.now();
	const result =
		"error" in recipient
			? recipient
			: await (delivery.traceparent === null ? post : tracedPost)(
					options,
					delivery,
					recipient,
					mayWrite,
				);
	if (result === undefined) return undefined;
	const durationMs = Math.round(performance.now() - startedAt);
	const now = options.clock();
	const verdict = judge(
		result,
		scheduledAttempt(delivery),
		now,
		options.random(),
		delivery.occurredAt,
	);
	release(options, delivery, verdict, requestedWaitMs(result, now));
	observe(options, delivery, verdict, durationMs, now);
	const url = "url" in recipient ? recipient.url : null;
	return { ...toSettlement(delivery, result, verdict), url, durationMs };
}

function scheduledAttempt({ attempt, ownFailures }: ClaimedDelivery): number {
	return attempt - ownFailures;
}

function release(
	{ queues }: AttemptOptions,
	{ endpointId }: ClaimedDelivery,
	verdict: Verdict,
	requestedMs: number,
): void {
	const now = performance.now();
	if (verdict.state === "delivered") queues.end(endpointId, true);
	else if (isOwnFailure(verdict.error))
		queues.postpone(endpointId, now + OWN_FAILURE_WAIT_MS);
	else {
		const pauseMs = Math.min(requestedMs, MAX_ENDPOINT_PAUSE_MS);
		queues.end(endpointId, false, now + pauseMs);
	}
}

/** It is dated by its claim, a moment ago: receivers refuse what is minutes away. */
function post(
	{ poster }: AttemptOptions,
	{ eventId, body, claimedAt }: ClaimedDelivery,
	{ url, secrets }: { readonly url: string; readonly secrets: Secrets },
	mayWrite: () => boolean,
): Promise<AttemptResult | undefined> {
	const timestamp = Math.floor(claimedAt.getTime() / 1_000);
	const headers = callbackHeaders({ eventId, body, timestamp }, secrets);
	return poster.post({ url, headers, body, mayWrite });
}

/** No header tells the receiver of it: ids of our traces are nobody else's. */
async function tracedPost(
	options: AttemptOptions,
	delivery: ClaimedDelivery,
	recipient: Extract<Recipient, { url: string }>,
	mayWrite: () => boolean,
): Promise<AttemptResult | undefined> {
	const { traceparent, eventId, endpointId } = delivery;
	const attempt = scheduledAttempt(delivery);
	const span = continueSpan("webhook POST", traceparent, {
		kind: SpanKind.CLIENT,
		attributes: { eventId, endpointId, attempt },
	});
	const result = await post(options, delivery, recipient, mayWrite);
	if (result !== undefined && "status" in result)
		span?.setAttribute("http.response.status_code", result.status);
	endSpan(span, result !== undefined && "error" in result && result.error);
	return result;
}

function observe(
	{ telemetry }: AttemptOptions,
	delivery: ClaimedDelivery,
	verdict: Verdict,
	durationMs: number,
	now: Date,
): void {
	const result = verdict.state === "delivered" ? "ok" : verdict.error;
	telemetry.attempts.inc({ result });
	telemetry.attemptSeconds.observe(durationMs / 1_000);
	if (result !== "ok" && isOwnFailure(result)) return;
	if (scheduledAttempt(delivery) > 1) return;
	const sinceOutcomeMs = now.getTime() - delivery.occurredAt.getTime();
	telemetry.firstAttemptSeconds.observe(Math.max(0, sinceOutcomeMs) / 1_000);
}

function toSettlement(
	{ eventId, endpointId, token, attempt }: ClaimedDelivery,
	result: AttemptResult,
	verdict: Verdict,
): Omit<Settlement, "url" | "durationMs"> {
	const error = verdict.state === "delivered" ? null : verdict.error;
	return {
		eventId,
		endpointId,
		token,
		attempt,
		state: verdict.state,
		delayMs: verdict.state === "pending" ? verdict.delayMs : null,
		httpStatus: "status" in result ? result.status : null,
		error,
		isOwnFailure: isOwnFailure(error),
	};
}
