import {
	type Db,
	type Tx,
	transaction,
} from "@airtower/platform/database/database";
import type { AttemptOutcome } from "../domain/attempt-outcome.ts";
import type { DecidedMessage } from "../domain/receipt-effects.ts";
import type { SubmitResult } from "../operators/operator.ts";
import { publishOutcomes } from "../publish-outcomes.ts";
import {
	claimKey,
	deleteDispatched,
	type Fence,
	type Postponement,
	postponeDispatch,
} from "../store/dispatch.ts";
import {
	type FinishedMessage,
	finishMessages,
	forgetAttempts,
	markSubmitted,
	markUnknown,
	noteRefusals,
} from "../store/message-changes.ts";
import { insertParts, type NewPart } from "../store/parts.ts";

/** A finished attempt, to be recorded if its fence still holds. */
export interface SettledAttempt extends Fence {
	readonly refusals: number;
	readonly doubtful: boolean;
	readonly operatorAccount: string;
	/** Undefined when nothing was submitted. */
	readonly result: SubmitResult | undefined;
	readonly outcome: AttemptOutcome;
	/** Pause before an unknown message goes again; null when it must not. */
	readonly unknownWaitMs: number | null;
}

export interface SettleReport {
	/** By place in the batch: false when the message has ended or was claimed again. */
	readonly held: boolean[];
	readonly finished: readonly FinishedMessage[];
}

/**
 * Records attempts in one transaction; those whose fence does not hold change nothing. It may be repeated:
 * one that is recorded as unknown is then recorded alike.
 */
export async function settleAttempts(
	sql: Db,
	attempts: readonly SettledAttempt[],
): Promise<SettleReport> {
	return transaction(sql, async (sql) => {
		const [ended, postponed] = await Promise.all([
			deleteDispatched(sql, attempts.filter(isEnd)),
			postponeDispatch(sql, attempts.flatMap(postponementOf)),
		]);
		const owned = new Set([...ended, ...postponed].map(claimKey));
		const held = attempts.map((attempt) => owned.has(claimKey(attempt)));
		const mine = attempts.filter((_, index) => held[index]);
		const [finished] = await Promise.all([
			recordStates(sql, mine),
			insertParts(sql, mine.flatMap(takenParts)),
		]);
		return { held, finished };
	});
}

function isEnd({ outcome }: SettledAttempt): boolean {
	return outcome.kind === "submitted" || outcome.kind === "failed";
}

function postponementOf(attempt: SettledAttempt): Postponement[] {
	const { outcome } = attempt;
	if (outcome.kind === "unknown")
		return [{ ...attempt, state: "unknown", delayMs: attempt.unknownWaitMs }];
	if (outcome.kind !== "postponed") return [];
	const { delayMs, refusals, doubtful } = outcome;
	return [{ ...attempt, state: "queued", delayMs, refusals, doubtful }];
}

function takenParts(attempt: SettledAttempt): NewPart[] {
	const { messageId, operatorAccount, result } = attempt;
	return (result?.parts ?? []).flatMap((part) =>
		part.kind === "accepted"
			? [
					{
						messageId,
						operatorAccount,
						number: part.part,
						partCount: result?.total ?? 1,
						operatorMessageId: part.operatorMessageId,
						operatorKey: part.storeKey,
					},
				]
			: [],
	);
}

async function recordStates(
	sql: Tx,
	attempts: readonly SettledAttempt[],
): Promise<FinishedMessage[]> {
	const submitted = attempts.filter((one) => one.outcome.kind === "submitted");
	const unknown = attempts.filter((one) => one.outcome.kind === "unknown");
	const unsent = attempts.filter(isUnsent);
	const [finished] = await Promise.all([
		finishMessages(sql, attempts.flatMap(failureOf)),
		markSubmitted(sql, submitted.map(withTotal)),
		markUnknown(sql, unknown.map(idOf)),
		forgetAttempts(sql, unsent.map(idOf)),
		noteRefusals(sql, attempts.flatMap(refusalOf)),
	]);
	await publishOutcomes(sql, finished);
	return finished;
}

function idOf({ messageId }: SettledAttempt): string {
	return messageId;
}

function withTotal({ messageId, result }: SettledAttempt) {
	return { id: messageId, partCount: result?.total ?? 1 };
}

function isUnsent({ outcome }: SettledAttempt): boolean {
	return outcome.kind === "postponed" && !outcome.countsAsAttempt;
}

function failureOf({ messageId, outcome }: SettledAttempt): DecidedMessage[] {
	if (outcome.kind !== "failed") return [];
	return [{ id: messageId, status: "failed", reason: outcome.reason }];
}

/** What the operator said of the first part that it refused; that it wants less traffic says nothing of a message. */
function refusalOf({ messageId, result }: SettledAttempt) {
	const refused = result?.parts.find(
		(part) => part.kind === "refused" || part.kind === "doubtful",
	);
	return refused === undefined
		? []
		: [{ id: messageId, operatorError: refused.operatorError }];
}
