import { fault } from "@airtower/platform/runtime/fault";
import { currentSpan, inSpan } from "@airtower/platform/tracing/spans";
import { startDispatchSpan } from "@airtower/platform/tracing/trace-message";
import { type DeliveryContext, unknownTimes } from "../context.ts";
import {
	type AttemptHistory,
	type AttemptOutcome,
	decideAttempt,
} from "../domain/attempt-outcome.ts";
import type { PartResult, SubmitResult } from "../domain/submit-result.ts";
import type { OutgoingMessage, RouteName } from "../operators/operator.ts";
import type { ClaimedMessage } from "../store/dispatch/dispatch-claims.ts";
import type { Telemetry } from "../telemetry.ts";
import type { Dispatcher } from "./dispatcher.ts";

/** Statuses that SMPP and its vendors use are below; an operator that makes up others cannot fill the metrics. */
const HIGHEST_STATUS = 0x4ff;
const EXPIRED = { kind: "failed", reason: "expired" } as const;

/**
 * The process may have stood still since the claim: lease and validity are looked at once more.
 * @param validUntil a time of `performance.now()`
 */
export function attemptMessage(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	message: ClaimedMessage,
	validUntil: number,
): Promise<void> {
	const route = dispatcher.operator.code;
	const span = startDispatchSpan(message, { route });
	return span === undefined
		? attempt(ctx, dispatcher, message, validUntil)
		: inSpan(span, () => attempt(ctx, dispatcher, message, validUntil));
}

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
	countSubmits(ctx.telemetry, dispatcher.operator, result);
	reportSessionRefusals(ctx, dispatcher, message, result);
	logUnsubmitted(ctx, message, result);
	const outcome = decideAttempt(result, toHistory(message), ctx.random());
	currentSpan()?.setAttribute("outcome", outcome.kind);
	await settle(ctx, dispatcher, message, outcome, result);
	if (outcome.kind === "unknown")
		void settleLate(ctx, dispatcher, message, result);
}

function backToQueue(message: ClaimedMessage): AttemptOutcome {
	const { refusals, unclear, sessionRefusals } = message;
	return {
		kind: "postponed",
		delayMs: 0,
		countsAsAttempt: false,
		refusals,
		unclear,
		sessionRefusals,
	};
}

function toOutgoing(
	message: ClaimedMessage,
	validityMs: number,
): OutgoingMessage {
	const missing = missingParts(message);
	return {
		messageId: message.messageId,
		organizationId: message.organizationId,
		clientReference: message.clientReference,
		attempt: message.attempt,
		to: message.recipient,
		sender: message.senderValue,
		body: message.body,
		validitySeconds: Math.max(1, Math.floor(validityMs / 1_000)),
		reference: message.concatReference,
		...(missing && { onlyParts: missing }),
	};
}

/** Undefined when the operator took none of its parts yet. */
function missingParts({ takenParts, partCount }: ClaimedMessage) {
	if (partCount === null) return undefined;
	const all = Array.from({ length: partCount }, (_, index) => index + 1);
	return all.filter((part) => !takenParts?.includes(part));
}

function countSubmits(
	{ submits }: Telemetry,
	{ code: route }: RouteName,
	{ parts }: SubmitResult,
): void {
	for (const part of parts) {
		const status = statusOf(part);
		if (status !== undefined) submits.inc({ route, status });
	}
}

/** Undefined for a part that was not written. */
function statusOf(part: PartResult): string | undefined {
	if (part.kind === "unsent") return undefined;
	if (part.kind === "accepted") return "0x00";
	if (part.kind === "unknown") return "none";
	return Number(part.operatorError) <= HIGHEST_STATUS
		? part.operatorError
		: "other";
}

/** A message can cost every connection in turn: who looks for the reason needs its id. */
function reportSessionRefusals(
	{ log, telemetry }: DeliveryContext,
	{ operator }: Dispatcher,
	{ messageId }: ClaimedMessage,
	{ parts }: SubmitResult,
): void {
	const route = operator.code;
	for (const part of parts) {
		if (part.kind !== "session") continue;
		const status = part.operatorError;
		telemetry.sessionRefusals.inc({ route, status });
		log.warn(
			{ route, status, messageId },
			"the operator refused the session over a message",
		);
	}
}

/** Why parts of an attempt were not written, or have no response. */
function logUnsubmitted(
	{ log }: DeliveryContext,
	{ messageId, attempt }: ClaimedMessage,
	{ parts }: SubmitResult,
): void {
	for (const { part, ...outcome } of parts) {
		if (outcome.kind !== "unsent" && outcome.kind !== "unknown") continue;
		const { kind, why } = outcome;
		log.debug({ messageId, attempt, part, kind, why }, "no response to a part");
	}
}

async function settle(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	message: ClaimedMessage,
	outcome: AttemptOutcome,
	result?: SubmitResult,
): Promise<void> {
	const times = unknownTimes(ctx.limits);
	const isLast =
		message.resent || (outcome.kind === "unknown" && outcome.mustNotResend);
	await ctx.settler.add({
		message,
		operator: dispatcher.operator,
		outcome,
		result,
		unknownTimes: isLast ? { ...times, waitMs: null } : times,
	});
}

function toHistory({ takenParts, ...history }: ClaimedMessage): AttemptHistory {
	return { ...history, takenParts: takenParts ?? [] };
}

/** Responses that come after all decide, unless the message has been claimed again meanwhile. */
async function settleLate(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	message: ClaimedMessage,
	{ total, parts }: SubmitResult,
): Promise<void> {
	const late = await Promise.all(parts.map(lateResult));
	if (late.every((part, index) => part === parts[index])) return;
	const result = { total, parts: late };
	const outcome = decideAttempt(result, toHistory(message), ctx.random());
	await settle(ctx, dispatcher, message, outcome, result).catch(
		(err: unknown) => {
			const { messageId } = message;
			ctx.log.warn({ err, messageId }, "a late response was not recorded");
		},
	);
}

async function lateResult(result: PartResult): Promise<PartResult> {
	if (result.kind !== "unknown") return result;
	const late = await result.late;
	return late === undefined ? result : { part: result.part, ...late };
}
