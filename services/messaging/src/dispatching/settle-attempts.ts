import {
	type Db,
	type Tx,
	transaction,
} from "@airtower/platform/database/database";
import type { AttemptOutcome } from "../domain/attempt-outcome.ts";
import type { DecidedMessage } from "../domain/receipt-effects.ts";
import type { SubmitResult } from "../domain/submit-result.ts";
import { publishOutcomes } from "../publish-outcomes.ts";
import {
	type ClaimedMessage,
	claimKey,
	deleteDispatched,
	type Postponement,
	postponeDispatch,
} from "../store/dispatch.ts";
import {
	type FinishedMessage,
	finishMessages,
	type RecordedAttempt,
	recordAttempts,
} from "../store/message-changes.ts";
import { insertParts, type NewPart } from "../store/parts.ts";

export interface SettledAttempt {
	readonly message: ClaimedMessage;
	readonly operatorAccount: string;
	readonly result: SubmitResult | undefined;
	readonly outcome: AttemptOutcome;
	/** Wait before an unknown message goes again; null when it must not. */
	readonly unknownWaitMs: number | null;
}

export interface SettleReport {
	/** By place in the batch: false when the message has ended or was claimed again. */
	readonly held: boolean[];
	readonly finished: readonly FinishedMessage[];
}

/**
 * Records attempts in one transaction; those whose fence does not hold change nothing. It may be repeated: one that is
 * recorded as unknown is then recorded alike.
 */
export async function settleAttempts(
	sql: Db,
	attempts: readonly SettledAttempt[],
): Promise<SettleReport> {
	return transaction(sql, async (sql) => {
		const ended = attempts.filter(isEnd).map(({ message }) => message);
		const claims = await Promise.all([
			deleteDispatched(sql, ended),
			postponeDispatch(sql, attempts.flatMap(toPostponement)),
		]);
		const owned = new Set(claims.flat().map(claimKey));
		const held = attempts.map(({ message }) => owned.has(claimKey(message)));
		const mine = attempts.filter((_, index) => held[index]);
		const [, , finished] = await Promise.all([
			recordAttempts(sql, mine.flatMap(toRecord)),
			insertParts(sql, mine.flatMap(takenParts)),
			endFailed(sql, mine),
		]);
		return { held, finished };
	});
}

async function endFailed(
	sql: Tx,
	attempts: readonly SettledAttempt[],
): Promise<FinishedMessage[]> {
	const finished = await finishMessages(sql, attempts.flatMap(toFailure));
	await publishOutcomes(sql, finished);
	return finished;
}

function isEnd({ outcome }: SettledAttempt): boolean {
	return outcome.kind === "submitted" || outcome.kind === "failed";
}

/** False when nothing of the message was written to the operator. */
function isSent({ outcome, result }: SettledAttempt): boolean {
	return outcome.kind === "postponed"
		? outcome.countsAsAttempt
		: outcome.kind === "unknown" || result !== undefined;
}

function toPostponement(attempt: SettledAttempt): Postponement[] {
	const { message, outcome, unknownWaitMs } = attempt;
	if (outcome.kind === "unknown")
		return [{ ...message, unknown: true, delayMs: unknownWaitMs }];
	if (outcome.kind !== "postponed") return [];
	const { delayMs, refusals, unclear } = outcome;
	const unsent = message.unsent + (isSent(attempt) ? 0 : 1);
	return [{ ...message, unknown: false, delayMs, unsent, refusals, unclear }];
}

/** Nothing for an attempt that sent nothing: its message is as it was. */
function toRecord(attempt: SettledAttempt): RecordedAttempt[] {
	const { message, outcome, result } = attempt;
	const { messageId: id, attempt: claims, unsent, resent } = message;
	if (!isSent(attempt)) return [];
	const { kind } = outcome;
	return [
		{
			id,
			status: kind === "submitted" || kind === "unknown" ? kind : null,
			attempts: claims - unsent,
			possibleDuplicate: resent,
			partCount: kind === "submitted" ? (result?.total ?? 1) : null,
			operatorError: findRefusal(result),
		},
	];
}

/** What the operator said of the first part that it refused; that it wants less traffic says nothing of a message. */
function findRefusal(result: SubmitResult | undefined): string | null {
	const refused = result?.parts.find(
		(part) => part.kind === "refused" || part.kind === "unclear",
	);
	return refused?.operatorError ?? null;
}

function takenParts({
	message,
	operatorAccount,
	result,
}: SettledAttempt): NewPart[] {
	return (result?.parts ?? []).flatMap((part) =>
		part.kind === "accepted"
			? [
					{
						messageId: message.messageId,
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

function toFailure({ message, outcome }: SettledAttempt): DecidedMessage[] {
	if (outcome.kind !== "failed") return [];
	return [{ id: message.messageId, status: "failed", reason: outcome.reason }];
}
