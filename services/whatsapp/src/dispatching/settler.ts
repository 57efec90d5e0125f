import {
	type Db,
	type Tx,
	transaction,
} from "@airtower/platform/database/database";
import type { Logger } from "@airtower/platform/runtime/log";
import {
	createSettling,
	type Settler,
} from "@airtower/platform/work/micro-batcher";
import type { AttemptOutcome } from "../domain/attempt-outcome.ts";
import type { MarketingPreference } from "../domain/marketing-preference.ts";
import { type Attempt, applyAttempt } from "../domain/progress.ts";
import { recordPreferences } from "../record-preferences.ts";
import { type Outcome, recordProgress } from "../record-progress.ts";
import type { ClaimedMessage } from "../store/dispatch/claims.ts";
import {
	claimKey,
	deleteDispatched,
	type Postponement,
	postponeDispatch,
} from "../store/dispatch/owned-dispatch.ts";
import { pauseNumbers, pauseRecipients } from "../store/dispatch/pacing.ts";
import { type LockedMessage, lockMessages } from "../store/message-changes.ts";
import { stopNumber } from "../store/phone-numbers.ts";
import type { Telemetry } from "../telemetry.ts";
import { learnFromResponses } from "./learn-from-responses.ts";

/** A finished attempt, to be recorded if its claim is still the latest. */
export type SettledAttempt = ClaimedMessage & Attempt;

interface SettlerOptions {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly unknownWaitMs: number;
	readonly signal: AbortSignal;
	readonly onFinished: () => void;
}

const MAX_BATCH = 200;
/** Pause of a message whose number was stopped, ms: only to let the stop come first. */
const STOPPED_DELAY_MS = 5_000;

/** Settles finished attempts; one whose response cannot be stored becomes unknown. */
export function createSettler(
	options: SettlerOptions,
): Settler<SettledAttempt> {
	const { sql, log, signal, unknownWaitMs } = options;
	return createSettling({
		maxBatch: MAX_BATCH,
		log,
		signal,
		withoutResponse,
		settle: async (attempts) => {
			const report = await transaction(sql, (sql) =>
				settleAttempts(sql, attempts, unknownWaitMs),
			);
			await tell(options, attempts, report);
		},
	});
}

function withoutResponse(attempt: SettledAttempt): SettledAttempt {
	return {
		...attempt,
		outcome: { kind: "unknown" },
		providerError: undefined,
	};
}

interface SettleReport {
	/** By index in the batch: false when someone else owns the message by now. */
	readonly owned: boolean[];
	readonly outcomes: readonly Outcome[];
	/** Users' preferences that are different now. */
	readonly changed: number;
	readonly stopped: readonly { readonly id: string; readonly reason: string }[];
}

/** Records attempts; those whose message has another owner by now change nothing. */
async function settleAttempts(
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
	const stops = messages.flatMap((message) =>
		toPreference(message, byId.get(message.id)?.outcome),
	);
	const changed = await recordPreferences(sql, stops);
	const stopped = await recordStops(sql, mine);
	return { owned, outcomes, changed, stopped };
}

/** A user who had stopped marketing messages, as the provider's refusal of one that it takes for such tells. */
function toPreference(
	{ phoneNumberId, recipient, lockedAt: at }: LockedMessage,
	outcome: AttemptOutcome | undefined,
): MarketingPreference[] {
	return outcome?.kind === "failed" &&
		outcome.isMarketingStopped === true &&
		recipient !== null
		? [{ phoneNumberId, recipient, isStopped: true, at }]
		: [];
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
	const pausing = (who: "recipient" | "number") =>
		only(attempts, "postponed").filter(({ outcome }) => outcome.pauses === who);
	await pauseRecipients(
		sql,
		pausing("recipient").map(({ phoneNumberId, recipient, outcome }) => ({
			phoneNumberId,
			recipient,
			delayMs: outcome.delayMs,
		})),
	);
	const numbersOf = (attempts: readonly SettledAttempt[]) => [
		...new Set(attempts.map(({ phoneNumberId }) => phoneNumberId)),
	];
	await pauseNumbers(sql, {
		taken: numbersOf(only(attempts, "sent")),
		throttled: numbersOf(pausing("number")),
	});
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

async function tell(
	options: SettlerOptions,
	attempts: readonly SettledAttempt[],
	report: SettleReport,
): Promise<void> {
	const { log, telemetry } = options;
	attempts.forEach((attempt, index) => {
		tellAttempt(options, attempt, report.owned[index] === true);
	});
	for (const { id, reason } of report.stopped) {
		telemetry.stopped.inc();
		log.error({ phoneNumberId: id, reason }, "a number was stopped");
	}
	for (const status of report.outcomes) telemetry.outcomes.inc({ status });
	if (report.outcomes.length + report.changed > 0) options.onFinished();
	await learnFromResponses(options, attempts);
}

function tellAttempt(
	{ log, telemetry }: SettlerOptions,
	{ messageId, attempt, outcome: { kind } }: SettledAttempt,
	isOwned: boolean,
): void {
	telemetry.attempts.inc({ outcome: isOwned ? kind : "fenced" });
	if (isOwned) return;
	const text = "an attempt ended after its message had gone to another owner";
	log.info({ messageId, attempt, outcome: kind }, text);
}
