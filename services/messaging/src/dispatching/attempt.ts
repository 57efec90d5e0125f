import { fault } from "@airtower/platform/runtime/fault";
import { currentSpan } from "@airtower/platform/tracing/spans";
import type { AttemptContext, Dispatcher } from "../context.ts";
import {
	type AttemptHistory,
	type AttemptOutcome,
	decideAttempt,
	type OtherRoutes,
	unknownTimes,
} from "../domain/attempt-outcome.ts";
import {
	findFirstRoute,
	findOtherRoute,
	isOverloaded,
} from "../domain/routing/other-route.ts";
import type { PartResult, SubmitResult } from "../domain/submit-result.ts";
import type { RouteName } from "../operators/operator.ts";
import type { OutgoingMessage } from "../operators/outgoing-message.ts";
import type { ClaimedMessage } from "../store/dispatch/dispatch-claims.ts";
import type { Telemetry } from "../telemetry.ts";
import type { AttemptedRoute, SettledAttempt } from "./attempt-rows.ts";
import type { DueClaim } from "./shared-statements.ts";

/** Statuses that SMPP and its vendors use are below; an operator that makes up others cannot fill the metrics. */
const HIGHEST_STATUS = 0x4ff;
const EXPIRED = { kind: "failed", reason: "expired" } as const;
const OPTED_OUT = { kind: "failed", reason: "recipient_opted_out" } as const;
const HELD = { kind: "unknown", isUnsent: true } as const;

/** A claimed message with the end of its validity, a time of `performance.now()`: the process's clock may be wrong. */
export interface DueMessage extends DueClaim {
	readonly validUntil: number;
}

/**
 * Submits a message, unless its recipient has opted out or its validity has ended since the claim. The operator may
 * have one that was sent without a response: where that does not go again, it is left to its receipt.
 */
export async function attemptMessage(
	ctx: AttemptContext,
	{ operator, watch }: Pick<Dispatcher, "operator" | "watch">,
	message: DueMessage,
	mayWrite: () => boolean,
): Promise<SettledAttempt> {
	const { isOptedOut, resent } = message;
	if (isOptedOut && !resent)
		return toSettled(ctx, operator, message, OPTED_OUT);
	const validityMs = message.validUntil - performance.now();
	if (validityMs <= 0) return toSettled(ctx, operator, message, EXPIRED);
	if (isOptedOut) return toSettled(ctx, operator, message, HELD);
	const outgoing = toOutgoing(message, validityMs);
	const ended = watch.began();
	const result = await operator.submit(outgoing, mayWrite);
	ended(result);
	fault("messaging.after_submit");
	countSubmits(ctx.telemetry, operator, result);
	reportSessionRefusals(ctx, operator, message, result);
	logUnsubmitted(ctx, message, result);
	const history = toHistory(message, result);
	const outcome = decideAttempt(
		result,
		history,
		ctx.random(),
		otherRoutes(ctx, operator, message),
	);
	currentSpan()?.setAttribute("outcome", outcome.kind);
	return toSettled(ctx, operator, message, outcome, result);
}

/**
 * Of a message that was not sent because its lease was over: it goes back as it was, also where others took it over.
 */
export function toUnsent(
	ctx: AttemptContext,
	operator: AttemptedRoute,
	message: ClaimedMessage,
): SettledAttempt {
	const { refusals, unclear, sessionRefusals } = message;
	return toSettled(ctx, operator, message, {
		kind: "postponed",
		delayMs: 0,
		keepsPlace: false,
		countsAsAttempt: false,
		triedRoutes: message.triedRoutes ?? [],
		refusals,
		unclear,
		sessionRefusals,
	});
}

/** Responses that come after all decide; undefined when none does, or none was missing. */
export async function findLateResult(
	ctx: AttemptContext,
	{ message, operator, outcome, result }: SettledAttempt,
): Promise<SettledAttempt | undefined> {
	if (outcome.kind !== "unknown" || result === undefined) return undefined;
	const { parts } = result;
	const late = await Promise.all(parts.map(lateResult));
	if (late.every((part, index) => part === parts[index])) return undefined;
	const after = { ...result, parts: late };
	const history = toHistory(message, after);
	const decided = decideAttempt(
		after,
		history,
		ctx.random(),
		otherRoutes(ctx, operator, message),
	);
	return toSettled(ctx, operator, message, decided, after);
}

async function lateResult(result: PartResult): Promise<PartResult> {
	if (result.kind !== "unknown") return result;
	const late = await result.late;
	return late === undefined ? result : { part: result.part, ...late };
}

function toSettled(
	{ limits, routes }: AttemptContext,
	operator: AttemptedRoute,
	message: ClaimedMessage,
	outcome: AttemptOutcome,
	result?: SubmitResult,
): SettledAttempt {
	const times = unknownTimes(limits, operator.unknownPolicy);
	const isLast =
		message.resent || (outcome.kind === "unknown" && outcome.mustNotResend);
	return {
		message,
		operator,
		outcome,
		result,
		unknownTimes: isLast ? { ...times, waitMs: null } : times,
		rulesVersion: routes.table().version || null,
	};
}

/** What may have been sent before goes by another route only as the route's policy for it says. */
function otherRoutes(
	{ routes }: AttemptContext,
	operator: AttemptedRoute,
	message: ClaimedMessage,
): OtherRoutes {
	const { code: present, unknownPolicy } = operator;
	const tried = message.triedRoutes ?? [];
	const mayLeave = !message.resent || unknownPolicy === "failover";
	return {
		present,
		isOverloaded: () =>
			isOverloaded(operator.status().throttledSince, Date.now()),
		tried,
		findFirst: () => findFirstRoute(routes.table(), message),
		findOther: () =>
			mayLeave
				? findOtherRoute(routes.table(), message, present, {
						without: new Set([...tried, present]),
						mayTry: routes.mayTry,
					})
				: undefined,
	};
}

function toHistory(
	{ takenParts, ...history }: ClaimedMessage,
	{ isResplit = false }: SubmitResult,
): AttemptHistory {
	return { ...history, takenParts: isResplit ? [] : (takenParts ?? []) };
}

function toOutgoing(
	message: ClaimedMessage,
	validityMs: number,
): OutgoingMessage {
	const { partCount, split } = message;
	return {
		messageId: message.messageId,
		organizationId: message.organizationId,
		lane: message.lane,
		clientReference: message.clientReference,
		attempt: message.attempt,
		to: message.recipient,
		sender: message.senderValue,
		body: message.body,
		validitySeconds: Math.max(1, Math.floor(validityMs / 1_000)),
		reference: message.concatReference,
		...(partCount !== null && {
			partCount,
			onlyParts: missingParts(message, partCount),
			...(split !== null && { split }),
		}),
	};
}

function missingParts({ takenParts }: ClaimedMessage, partCount: number) {
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
	{ log, telemetry }: AttemptContext,
	{ code: route }: RouteName,
	{ messageId }: ClaimedMessage,
	{ parts }: SubmitResult,
): void {
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
	{ log }: AttemptContext,
	{ messageId, attempt }: ClaimedMessage,
	{ parts }: SubmitResult,
): void {
	for (const { part, ...outcome } of parts) {
		if (outcome.kind !== "unsent" && outcome.kind !== "unknown") continue;
		const { kind, why } = outcome;
		log.debug({ messageId, attempt, part, kind, why }, "no response to a part");
	}
}
