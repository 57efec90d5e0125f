import { fault } from "@airtower/platform/runtime/fault";
import {
	continueSpan,
	currentSpan,
	endSpan,
	inSpan,
	SpanKind,
} from "@airtower/platform/tracing/spans";
import { startDispatchSpan } from "@airtower/platform/tracing/trace-message";
import { traceparentOf } from "@airtower/platform/tracing/traceparent";
import type { Context } from "../context.ts";
import { releaseLost } from "../dispatching/dispatcher.ts";
import { prepareMessage } from "../dispatching/prepare-message.ts";
import {
	type AttemptOutcome,
	decideAttempt,
} from "../domain/attempt-outcome.ts";
import type { SubmitResult } from "../domain/submit-result.ts";
import type { OutgoingMessage, Provider } from "../provider/provider.ts";
import {
	type ClaimedMessage,
	claimDispatch,
} from "../store/dispatch/claims.ts";
import { claimKey, markSubmitting } from "../store/dispatch/owned-dispatch.ts";

const MAX_CLAIM = 200;
/** How far ahead of its rate a number may run, ms: a claim's worth of messages goes out at once. */
const BURST_MS = 500;

/**
 * Claims due messages for the free placeholders and starts their submits, without waiting for them; returns how many.
 * @param onFree called when fewer than the most are in flight again
 */
export async function dispatchMessages(
	ctx: Context,
	onFree = () => {},
): Promise<number> {
	const { sql, dispatcher, limits } = ctx;
	await releaseLost(sql, dispatcher);
	const free = limits.maxInFlight - dispatcher.inFlight.size;
	if (free <= 0) return 0;
	dispatcher.knowsItsRows = false;
	const claimed = await claimDispatch(sql, {
		token: dispatcher.lease.token(),
		limit: Math.min(free, MAX_CLAIM),
		ratePerSecond: limits.ratePerSecond,
		burstMs: BURST_MS,
	});
	if (claimed.length > 0) {
		fault("whatsapp.after_claim");
		await start(ctx, claimed, onFree);
	}
	dispatcher.knowsItsRows = true;
	ctx.telemetry.inFlight.set(dispatcher.inFlight.size);
	return claimed.length;
}

async function start(
	ctx: Context,
	claimed: readonly ClaimedMessage[],
	onFree: () => void,
): Promise<void> {
	const track = (message: ClaimedMessage, attempt: () => Promise<void>) => {
		const span = startDispatchSpan(message);
		trackAttempt(ctx, message, inSpan(span, attempt), onFree);
	};
	const now = ctx.clock();
	const ready: [ClaimedMessage, OutgoingMessage][] = [];
	for (const message of claimed) {
		const prepared = prepareMessage(message, ctx.ring, now);
		if ("kind" in prepared)
			track(message, () => settleUnsent(ctx, message, prepared));
		else ready.push([message, prepared]);
	}
	if (ready.length === 0) return;
	// From here on a crash leaves them unknown.
	const begun = await markSubmitting(
		ctx.sql,
		ready.map(([message]) => message),
	);
	for (const [message, outgoing] of ready)
		if (begun.has(claimKey(message)))
			track(message, () => submit(ctx, message, outgoing));
}

async function submit(
	ctx: Context,
	message: ClaimedMessage,
	outgoing: OutgoingMessage,
): Promise<void> {
	const { lease } = ctx.dispatcher;
	// After being stopped, this process may find its lease over: what it has not sent belongs to others.
	const result = await tracedSubmit(ctx.provider, outgoing, () =>
		lease.covers(message.token),
	);
	fault("whatsapp.after_submit");
	await ctx.settler.add({
		...message,
		outcome: decideAttempt(result, message.refusals, ctx.random()),
		providerError: result.kind === "taken" ? undefined : result.text,
		wasWritten: result.kind !== "unsent",
	});
}

function settleUnsent(
	{ settler }: Context,
	message: ClaimedMessage,
	outcome: AttemptOutcome,
): Promise<void> {
	const attempt = { outcome, providerError: undefined, wasWritten: false };
	return settler.add({ ...message, ...attempt });
}

/** Remembers a message until its attempt is settled, which makes free for others. */
function trackAttempt(
	{ dispatcher: { inFlight }, limits, log }: Context,
	message: ClaimedMessage,
	attempt: Promise<void>,
	onFree: () => void,
): void {
	const tracked = attempt
		.catch((error: unknown) => {
			log.error(
				{ err: error },
				"an attempt could not be recorded; it is taken over when its lease ends",
			);
		})
		.finally(() => {
			const wasFull = inFlight.size >= limits.maxInFlight;
			inFlight.delete(message);
			if (wasFull) onFree();
		});
	inFlight.set(message, tracked);
}

/** With a span of its own, within that of its dispatch. No header tells the provider of it. */
async function tracedSubmit(
	provider: Provider,
	message: OutgoingMessage,
	mayWrite: () => boolean,
): Promise<SubmitResult> {
	const span = continueSpan("cloud api POST", traceparentOf(currentSpan()), {
		kind: SpanKind.CLIENT,
	});
	const result = await provider.submit(message, mayWrite);
	if (result.kind === "refused")
		span?.setAttribute("http.response.status_code", result.httpStatus);
	endSpan(span, result.kind === "taken" ? undefined : result.kind);
	return result;
}
