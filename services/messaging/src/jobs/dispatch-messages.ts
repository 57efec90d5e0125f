import { fault } from "@airtower/platform/runtime/fault";
import { releaseUnknown } from "@airtower/platform/work/leased-queue";
import type { DeliveryContext } from "../delivery-context.ts";
import type { Dispatcher } from "../dispatching/dispatcher.ts";
import {
	type AttemptOutcome,
	decideAttempt,
} from "../domain/attempt-outcome.ts";
import type { PartResult, SubmitResult } from "../domain/submit-result.ts";
import type { OutgoingMessage } from "../operators/operator.ts";
import {
	type ClaimedMessage,
	claimMessages,
	dispatchQueue,
} from "../store/dispatch.ts";

const EXPIRED = { kind: "failed", reason: "expired" } as const;

/**
 * Claims as many messages as the operator takes now and begins to submit them; returns how many. The claim marks
 * them as submitting: from here on a crash leaves them unknown.
 */
export async function dispatchMessages(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
): Promise<number> {
	await releaseLostClaim(ctx, dispatcher);
	const limit = dispatcher.room();
	if (limit === 0) return 0;
	const askedAt = performance.now();
	dispatcher.hasLostClaim = true;
	const claimed = await claimMessages(ctx.sql, {
		route: dispatcher.operator.code,
		token: ctx.lease.token(),
		after: dispatcher.claimAfter,
		limit,
	});
	dispatcher.hasLostClaim = false;
	const last = claimed.at(-1);
	if (last === undefined) return 0;
	dispatcher.claimAfter = last.organizationId;
	fault("messaging.after_claim");
	for (const message of claimed) {
		const validUntil = askedAt + message.validityMs;
		dispatcher.track(message, attempt(ctx, dispatcher, message, validUntil));
	}
	return claimed.length;
}

/** Puts back what a claim took whose response never came; nothing was sent for it. */
export async function releaseLostClaim(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
): Promise<void> {
	if (!dispatcher.hasLostClaim) return;
	await releaseUnknown(ctx.sql, dispatchQueue, {
		token: ctx.lease.token(),
		known: dispatcher.held(),
		within: ctx.sql`route = ${dispatcher.operator.code}`,
		set: ctx.sql`, unsent = unsent + 1`,
	});
	dispatcher.hasLostClaim = false;
}

/**
 * The process may have stood still since the claim: lease and validity are looked at once more.
 * @param validUntil a time of `performance.now()`: clocks of the day differ from machine to machine
 */
async function attempt(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	message: ClaimedMessage,
	validUntil: number,
): Promise<void> {
	const validityMs = validUntil - performance.now();
	if (validityMs <= 0) return settle(ctx, dispatcher, message, EXPIRED);
	if (!ctx.lease.covers(message.token))
		return settle(ctx, dispatcher, message, backToQueue(message));
	const result = await dispatcher.operator.submit(
		toOutgoing(message, validityMs),
		() => ctx.lease.covers(message.token),
	);
	fault("messaging.after_submit");
	const outcome = decideAttempt(result, toHistory(message), ctx.random());
	await settle(ctx, dispatcher, message, outcome, result);
	if (outcome.kind === "unknown")
		settleLate(ctx, dispatcher, message, result).catch((err: unknown) =>
			ctx.log.warn(
				{ err, messageId: message.messageId },
				"a late response was not recorded",
			),
		);
}

/** Others may have taken over what this process was about to send: it sends nothing then. */
function backToQueue({ refusals, unclear }: ClaimedMessage): AttemptOutcome {
	const kind = "postponed";
	return { kind, delayMs: 0, refusals, unclear, countsAsAttempt: false };
}

/** Responses that come after all decide, unless the message has been claimed again meanwhile. */
async function settleLate(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	message: ClaimedMessage,
	{ total, parts }: SubmitResult,
): Promise<void> {
	const late = await Promise.all(parts.map(lateResult));
	if (late.every((part, place) => part === parts[place])) return;
	const result = { total, parts: late };
	const outcome = decideAttempt(result, toHistory(message), ctx.random());
	await settle(ctx, dispatcher, message, outcome, result);
}

async function lateResult(result: PartResult): Promise<PartResult> {
	if (result.kind !== "unknown") return result;
	const late = await result.late;
	return late === undefined ? result : { part: result.part, ...late };
}

async function settle(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	message: ClaimedMessage,
	outcome: AttemptOutcome,
	result?: SubmitResult,
): Promise<void> {
	const mayResend =
		ctx.limits.unknownPolicy === "resend_once" && !message.resent;
	await ctx.settler.add({
		message,
		operatorAccount: dispatcher.operator.account,
		outcome,
		result,
		unknownWaitMs: mayResend ? ctx.limits.unknownWaitMs : null,
	});
}

function toHistory({ takenParts, refusals, unclear }: ClaimedMessage) {
	return { takenParts: takenParts ?? [], refusals, unclear };
}

function toOutgoing(
	message: ClaimedMessage,
	validityMs: number,
): OutgoingMessage {
	const { takenParts, partCount } = message;
	const missing =
		partCount === null
			? undefined
			: Array.from({ length: partCount }, (_, index) => index + 1).filter(
					(part) => !takenParts?.includes(part),
				);
	return {
		messageId: message.messageId,
		attempt: message.attempt,
		to: message.recipient,
		sender: message.senderValue,
		body: message.body,
		validitySeconds: Math.max(1, Math.floor(validityMs / 1_000)),
		reference: message.concatReference,
		...(missing && { onlyParts: missing }),
	};
}
