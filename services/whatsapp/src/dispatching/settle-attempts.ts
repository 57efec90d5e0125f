import {
	type Db,
	type Tx,
	transaction,
} from "@airtower/platform/database/database";
import type { AttemptOutcome } from "../domain/attempt-outcome.ts";
import { applyAttempt } from "../domain/progress.ts";
import { type Outcome, recordProgress } from "../record-progress.ts";
import {
	claimKey,
	deleteDispatched,
	type Postponement,
	pauseRecipients,
	postponeDispatch,
} from "../store/dispatch.ts";
import { lockMessages } from "../store/message-changes.ts";
import { pauseNumber, stopNumber } from "../store/phone-numbers.ts";
import type { SettledAttempt } from "./attempt.ts";

export interface SettleReport {
	/** By place in the batch: false when someone else owns the message by now. */
	readonly held: boolean[];
	readonly outcomes: readonly Outcome[];
	/** Numbers that this batch has stopped, with the reason. */
	readonly stopped: readonly { readonly id: string; readonly reason: string }[];
}

/** Pause of a message whose number was stopped, ms: only to let the stop come first. */
const STOPPED_DELAY_MS = 5_000;

/** Records attempts in one transaction; those whose fence does not hold change nothing. */
export async function settleAttempts(
	sql: Db,
	attempts: readonly SettledAttempt[],
	unknownWaitMs: number,
): Promise<SettleReport> {
	return transaction(sql, async (sql) => {
		const ids = attempts.map(({ messageId }) => messageId);
		const messages = await lockMessages(sql, ids);
		const waiting = attempts.flatMap(toPostponement);
		const ended = attempts.filter(({ outcome }) => !isPostponed(outcome));
		const owned = new Set([
			...(await deleteDispatched(sql, ended)),
			...(await postponeDispatch(sql, waiting)),
		]);
		const held = attempts.map((attempt) => owned.has(claimKey(attempt)));
		const mine = attempts.filter((_, index) => held[index]);
		const byId = new Map(mine.map((attempt) => [attempt.messageId, attempt]));
		const changes = messages.flatMap((before) => {
			const attempt = byId.get(before.id);
			return attempt === undefined
				? []
				: [
						{
							before,
							after: applyAttempt(
								before,
								attempt,
								before.lockedAt,
								unknownWaitMs,
							),
						},
					];
		});
		const outcomes = await recordProgress(sql, changes);
		await recordPauses(sql, mine);
		return { held, outcomes, stopped: await recordStops(sql, mine) };
	});
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

function isPostponed({ kind }: AttemptOutcome): boolean {
	return kind === "postponed" || kind === "number_stopped";
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
	const recipients = postponed
		.filter(({ outcome }) => outcome.pauses === "recipient")
		.map(({ phoneNumberId, recipient, outcome }) => ({
			phoneNumberId,
			recipient,
			delayMs: outcome.delayMs,
		}));
	if (recipients.length > 0) await pauseRecipients(sql, recipients);
	const throttled = postponed.filter(
		({ outcome }) => outcome.pauses === "number",
	);
	for (const [id, group] of Map.groupBy(throttled, (one) => one.phoneNumberId))
		await pauseNumber(
			sql,
			id,
			Math.max(...group.map(({ outcome }) => outcome.delayMs)),
		);
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
