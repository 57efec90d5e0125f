import type {
	AttemptOutcome,
	UnknownTimes,
} from "../domain/attempt-outcome.ts";
import type { DecidedMessage } from "../domain/message-state.ts";
import type { SubmitResult } from "../domain/submit-result.ts";
import type { Operator } from "../operators/operator.ts";
import type { ClaimedMessage } from "../store/dispatch/dispatch-claims.ts";
import type {
	MessageRoute,
	Move,
	Postponement,
} from "../store/dispatch/dispatch-settles.ts";
import type { RecordedAttempt } from "../store/message-updates.ts";
import type { NewPart } from "../store/parts.ts";

/** What is asked of a route once an attempt is over. */
export type AttemptedRoute = Pick<
	Operator,
	"code" | "account" | "unknownPolicy" | "status"
>;

export interface SettledAttempt {
	readonly message: ClaimedMessage;
	readonly operator: AttemptedRoute;
	readonly result: SubmitResult | undefined;
	readonly outcome: AttemptOutcome;
	readonly unknownTimes: UnknownTimes;
	/** Of the rules by which its next route was chosen; null before there were any. */
	readonly rulesVersion: number | null;
}

export function isEnd({ outcome }: SettledAttempt): boolean {
	return outcome.kind === "submitted" || outcome.kind === "failed";
}

/** False when nothing of the message was written to the operator. */
function isSent({ outcome, result }: SettledAttempt): boolean {
	if (outcome.kind === "postponed") return outcome.countsAsAttempt;
	if (outcome.kind === "unknown") return !outcome.isUnsent;
	return result !== undefined;
}

export function toPostponement(attempt: SettledAttempt): Postponement[] {
	const { message, outcome, unknownTimes } = attempt;
	const { waitMs, deadlineMs } = unknownTimes;
	const unsent = message.unsent + (isSent(attempt) ? 0 : 1);
	const resent = message.resent && isSent(attempt);
	if (outcome.kind === "unknown")
		return [
			{
				...message,
				unknown: true,
				mayRepeat: false,
				unsent,
				resent,
				delayMs: waitMs,
				keepsPlace: false,
				deadlineMs,
				triedRoutes: null,
			},
		];
	if (outcome.kind !== "postponed") return [];
	const { delayMs, keepsPlace, refusals, unclear, sessionRefusals } = outcome;
	return [
		{
			...message,
			// An earlier submit has no response: its receipt may come before the message goes again.
			unknown: message.resent,
			mayRepeat: outcome.route !== undefined,
			delayMs,
			keepsPlace,
			deadlineMs: null,
			unsent,
			resent,
			refusals,
			unclear,
			sessionRefusals,
			triedRoutes: outcome.triedRoutes.join(" ") || null,
		},
	];
}

/** A message that waits goes to another route. */
export function toMove({
	message: { messageId },
	operator: { code: from },
	outcome,
	rulesVersion,
}: SettledAttempt): Move[] {
	if (outcome.kind !== "postponed") return [];
	const { route: to = from } = outcome;
	return to === from ? [] : [{ messageId, from, to, rulesVersion, waitMs: 0 }];
}

/** Responded to by a route after it was moved to another, as it may be while it is unknown. */
export function toReturn(
	{
		message: { messageId: id },
		operator: { code: route },
		outcome,
	}: SettledAttempt,
	routeNow: string | undefined,
): MessageRoute[] {
	if (outcome.kind !== "submitted" || routeNow === route) return [];
	return [{ id, route, rulesVersion: null }];
}

/** Nothing for an attempt that sent nothing: its message is as it was. */
export function toRecord(attempt: SettledAttempt): RecordedAttempt[] {
	const { message, outcome, result } = attempt;
	const { messageId: id, attempt: claims, unsent, resent } = message;
	if (!isSent(attempt)) return [];
	const { kind } = outcome;
	const operatorError = findRefusal(result);
	return [
		{
			id,
			attempts: claims - unsent,
			possibleDuplicate: resent || result?.isResplit === true,
			...(kind === "submitted" && { status: kind, partCount: totalOf(result) }),
			...(kind === "unknown" && { status: kind }),
			...(kind === "unknown" && result && { partCount: result.total }),
			...(operatorError !== undefined && { operatorError }),
		},
	];
}

function totalOf(result: SubmitResult | undefined): number {
	return result?.total ?? 1;
}

/** That the operator wants less traffic says nothing of a message. */
function findRefusal(result: SubmitResult | undefined) {
	const refused = result?.parts.find(
		(part) =>
			part.kind === "refused" ||
			part.kind === "unclear" ||
			part.kind === "session",
	);
	return refused?.operatorError;
}

export function toParts({
	message,
	operator,
	result,
}: SettledAttempt): NewPart[] {
	return (result?.parts ?? []).flatMap((part) =>
		part.kind === "accepted"
			? [
					{
						messageId: message.messageId,
						operatorAccount: operator.account,
						number: part.part,
						partCount: totalOf(result),
						operatorMessageId: part.operatorMessageId,
						operatorKey: part.storeKey,
						receiptsBefore: message.receiptsBefore,
						...(result?.split !== undefined && { split: result.split }),
					},
				]
			: [],
	);
}

/** The message whose earlier parts do not count any more: all of it was submitted, split in another way. */
export function toResplit(attempt: SettledAttempt): string[] {
	const { message, result } = attempt;
	return result?.isResplit && isSent(attempt) ? [message.messageId] : [];
}

export function toFailure({
	message,
	outcome,
}: SettledAttempt): DecidedMessage[] {
	if (outcome.kind !== "failed") return [];
	return [{ id: message.messageId, status: "failed", reason: outcome.reason }];
}

export function toUnknown({ message, outcome }: SettledAttempt): string[] {
	return outcome.kind === "unknown" ? [message.messageId] : [];
}

/** Those of which this attempt is a submit without a response. */
export function toUnanswered(attempt: SettledAttempt): string[] {
	return isSent(attempt) ? toUnknown(attempt) : [];
}
