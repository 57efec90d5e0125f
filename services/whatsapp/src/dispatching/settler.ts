import { type Db, transaction } from "@airtower/platform/database/database";
import type { Logger } from "@airtower/platform/runtime/log";
import { createSettling, type Settler } from "@airtower/platform/work/settling";
import { learnWaId } from "../store/conversations.ts";
import type { Telemetry } from "../telemetry.ts";
import {
	type SettledAttempt,
	type SettleReport,
	settleAttempts,
} from "./settle-attempts.ts";

export interface SettlerOptions {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly unknownWaitMs: number;
	readonly signal: AbortSignal;
	readonly onFinished: () => void;
}

const MAX_BATCH = 200;

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
	if (report.outcomes.length > 0) options.onFinished();
	await learnNames(options, attempts);
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

/** The provider may know a recipient by another number than the dialled one; later messages of the user bear it. */
async function learnNames(
	{ sql, log }: SettlerOptions,
	attempts: readonly SettledAttempt[],
): Promise<void> {
	for (const { outcome, ...attempt } of attempts) {
		if (outcome.kind !== "sent" || outcome.waId === undefined) continue;
		const { waId } = outcome;
		if (waId === attempt.recipient.replace("+", "")) continue;
		try {
			await learnWaId(sql, attempt, waId);
		} catch (error) {
			log.warn({ err: error }, "the provider's name could not be kept");
		}
	}
}
