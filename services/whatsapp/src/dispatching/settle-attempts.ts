import type { Tx } from "@airtower/platform/database/database";
import type { AttemptOutcome } from "../domain/attempt-outcome.ts";
import { type Attempt, applyAttempt } from "../domain/attempt-progress.ts";
import { type Outcome, recordProgress } from "../record-progress.ts";
import type { ClaimedMessage } from "../store/dispatch/claims.ts";
import {
	claimKey,
	deleteDispatched,
	type Postponement,
	postponeDispatch,
} from "../store/dispatch/owned-dispatch.ts";
import { pauseNumbers } from "../store/dispatch/pacing.ts";
import { pauseRecipients } from "../store/dispatch/recipient-pauses.ts";
import { lockMessages } from "../store/message-changes.ts";
import { stopNumber } from "../store/phone-numbers.ts";

/** A finished attempt, to be recorded if its fence still holds. */
export type SettledAttempt = ClaimedMessage & Attempt;

export interface SettleReport {
	/** By index in the batch: false when someone else owns the message by now. */
	readonly owned: boolean[];
	readonly outcomes: readonly Outcome[];
	readonly stopped: readonly { readonly id: string; readonly reason: string }[];
}

/** Pause of a message whose number was stopped, ms: only to let the stop come first. */
const STOPPED_DELAY_MS = 5_000;

/** Records attempts; those whose fence does not hold change nothing. */
export async function settleAttempts(
	sql: Tx,
	attempts: readonly SettledAttempt[],
	unknownWaitMs: number,
): Promise<SettleReport> {
	const ids = attempts.map(({ messageId }) => messageId);
	const messages = await lockMessages(sql, ids);
	const claims = await settleClaims(sql, attempts);
	const owned = attempts.map((attempt) => claims.has(claimKey(attempt)));
	const mine = attempts.filter((_, index) => owned[index]);
	const byId = new Map(mine.map((attempt) => [attempt.messageId, attempt]));
	const outcomes = await recordProgress(sql, messages, (before) => {
		const attempt = byId.get(before.id);
		return attempt === undefined
			? before
			: applyAttempt(before, attempt, before.lockedAt, unknownWaitMs);
	});
	await recordPauses(sql, mine);
	return { owned, outcomes, stopped: await recordStops(sql, mine) };
}

type Kind = AttemptOutcome["kind"];
type With<K extends Kind> = SettledAttempt & {
	readonly outcome: Extract<AttemptOutcome, { kind: K }>;
};

function only<K extends Kind>(
	attempts: readonly SettledAttempt[],
	kind: K,
): With<K>[] {
	return attempts.filter((one): one is With<K> => one.outcome.kind === kind);
}

/** Puts back what goes again and ends the rest; returns the claims that were still ours. */
async function settleClaims(
	sql: Tx,
	attempts: readonly SettledAttempt[],
): Promise<Set<string>> {
	const waiting = attempts.flatMap(toPostponement);
	const again = new Set(waiting.map(claimKey));
	const ended = attempts.filter((attempt) => !again.has(claimKey(attempt)));
	const deleted = await deleteDispatched(sql, ended);
	return deleted.union(await postponeDispatch(sql, waiting));
}

function toPostponement(attempt: SettledAttempt): Postponement[] {
	const { outcome } = attempt;
	if (outcome.kind === "number_stopped")
		return [{ ...attempt, delayMs: STOPPED_DELAY_MS, refusals: 0 }];
	if (outcome.kind !== "postponed") return [];
	const { delayMs, refusals } = outcome;
	return [{ ...attempt, delayMs, refusals }];
}

async function recordPauses(
	sql: Tx,
	attempts: readonly SettledAttempt[],
): Promise<void> {
	const postponed = only(attempts, "postponed");
	const paused = (who: "recipient" | "number") =>
		postponed.flatMap(({ phoneNumberId, recipient, outcome }) =>
			outcome.pauses === who
				? [{ phoneNumberId, recipient, delayMs: outcome.delayMs }]
				: [],
		);
	await pauseRecipients(sql, paused("recipient"));
	await pauseNumbers(sql, paused("number"));
}

/** Stops numbers that were refused, unless they have got another token since. */
async function recordStops(
	sql: Tx,
	attempts: readonly SettledAttempt[],
): Promise<{ id: string; reason: string }[]> {
	const refused = new Map(
		only(attempts, "number_stopped").map((attempt) => [
			`${attempt.phoneNumberId} ${attempt.sealedToken.toString("base64")}`,
			attempt,
		]),
	);
	const stopped: { id: string; reason: string }[] = [];
	for (const { phoneNumberId: id, sealedToken, outcome } of refused.values()) {
		const { reason } = outcome;
		if (await stopNumber(sql, id, sealedToken, reason))
			stopped.push({ id, reason });
	}
	return stopped;
}
