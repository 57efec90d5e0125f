import {
	continueSpan,
	endSpan,
	SpanKind,
} from "@airtower/platform/tracing/spans";
import type { Context } from "../context.ts";
import { callbackHeaders, type Secrets } from "../domain/signature.ts";
import {
	type AttemptError,
	type AttemptResult,
	isOwnFailure,
	judge,
	OWN_FAILURE_WAIT_MS,
	requestedWaitMs,
	type Verdict,
} from "../domain/verdict.ts";
import type { ClaimedDelivery } from "../store/delivery-queue.ts";
import type { Settlement } from "../store/settlements.ts";

/** Longest pause that one Retry-After puts on all deliveries of its endpoint, ms. */
const MAX_ENDPOINT_PAUSE_MS = 60_000;

export type Recipient =
	| { readonly url: string; readonly secrets: Secrets }
	| { readonly error: AttemptError };

/** `ctx.attempts` holds the attempt until it is settled. */
export function startAttempt(
	ctx: Context,
	delivery: ClaimedDelivery,
	recipient: Recipient,
): void {
	const attempt = run(ctx, delivery, recipient).catch((error: unknown) => {
		ctx.log.error(
			{ err: error },
			"an attempt could not be recorded; it is taken over when its lease ends",
		);
		ctx.attempts.mayHaveLost = true;
	});
	ctx.attempts.add(delivery, attempt);
}

async function run(
	ctx: Context,
	delivery: ClaimedDelivery,
	recipient: Recipient,
): Promise<void> {
	const startedAt = performance.now();
	const result =
		"error" in recipient
			? recipient
			: await (delivery.traceparent === null ? post : tracedPost)(
					ctx,
					delivery,
					recipient,
				);
	if (result === undefined) {
		ctx.queues.postpone(delivery.endpointId, performance.now());
		ctx.attempts.mayHaveLost = true;
		return;
	}
	const durationMs = Math.round(performance.now() - startedAt);
	const now = ctx.clock();
	const verdict = judge(
		result,
		scheduledAttempt(delivery),
		now,
		ctx.random(),
		delivery.occurredAt,
	);
	release(ctx, delivery, verdict, requestedWaitMs(result, now));
	observe(ctx, delivery, verdict, durationMs, now);
	const url = "url" in recipient ? recipient.url : null;
	await ctx.settler.add({
		...toSettlement(delivery, result, verdict),
		url,
		durationMs,
	});
}

function scheduledAttempt({ attempt, ownFailures }: ClaimedDelivery): number {
	return attempt - ownFailures;
}

function release(
	{ queues }: Context,
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

/** Undefined when the process has stood still since the claim: others may have it now, or the endpoint is deleted. */
function post(
	ctx: Context,
	{ eventId, body, token }: ClaimedDelivery,
	{ url, secrets }: { readonly url: string; readonly secrets: Secrets },
): Promise<AttemptResult | undefined> {
	const timestamp = Math.floor(ctx.clock().getTime() / 1_000);
	const headers = callbackHeaders({ eventId, body, timestamp }, secrets);
	const mayWrite = () => ctx.lease.covers(token);
	return ctx.poster.post({ url, headers, body, mayWrite });
}

/** No header tells the receiver of it: ids of our traces are nobody else's. */
async function tracedPost(
	ctx: Context,
	delivery: ClaimedDelivery,
	recipient: Extract<Recipient, { url: string }>,
): Promise<AttemptResult | undefined> {
	const { traceparent, eventId, endpointId } = delivery;
	const attempt = scheduledAttempt(delivery);
	const span = continueSpan("webhook POST", traceparent, {
		kind: SpanKind.CLIENT,
		attributes: { eventId, endpointId, attempt },
	});
	const result = await post(ctx, delivery, recipient);
	if (result !== undefined && "status" in result)
		span?.setAttribute("http.response.status_code", result.status);
	endSpan(span, result !== undefined && "error" in result && result.error);
	return result;
}

function observe(
	{ telemetry }: Context,
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
