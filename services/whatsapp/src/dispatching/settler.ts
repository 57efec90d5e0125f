import type { Db } from "@airtower/platform/database/database";
import type { Logger } from "@airtower/platform/runtime/log";
import { createSettling, type Settler } from "@airtower/platform/work/settling";
import { learnWaIds } from "../store/conversations.ts";
import type { Telemetry } from "../telemetry.ts";
import type { SettledAttempt } from "./attempt.ts";
import { type SettleReport, settleAttempts } from "./settle-attempts.ts";

export interface SettlerOptions {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
	/** How long an unknown message waits for a word, ms. */
	readonly unknownWaitMs: number;
	/** Ends the waiting for a database that is away. */
	readonly signal: AbortSignal;
	/** Told after each settled batch that ended messages. */
	readonly onFinished: () => void;
}

const MAX_BATCH = 200;

/** Settles finished attempts; one whose answer cannot be stored becomes unknown. */
export function createSettler(
	options: SettlerOptions,
): Settler<SettledAttempt> {
	const { sql, log, signal, unknownWaitMs } = options;
	return createSettling({
		...{ maxBatch: MAX_BATCH, log, signal, withoutResponse },
		settle: async (attempts) =>
			tell(
				options,
				attempts,
				await settleAttempts(sql, attempts, unknownWaitMs),
			),
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
	attempts.forEach(({ messageId, attempt, outcome }, index) => {
		const held = report.held[index] === true;
		telemetry.attempts.inc({ outcome: held ? outcome.kind : "fenced" });
		if (!held)
			log.info(
				{ messageId, attempt, outcome: outcome.kind },
				"an attempt ended after its message had gone to another owner",
			);
	});
	for (const { id, reason } of report.stopped) {
		telemetry.stopped.inc();
		log.error({ phoneNumberId: id, reason }, "a number was stopped");
	}
	for (const status of report.outcomes) telemetry.outcomes.inc({ status });
	if (report.outcomes.length > 0) options.onFinished();
	await learnNames(options, attempts);
}

/** The provider may know a recipient by another number than the one that was dialled; later messages of the user bear it. */
async function learnNames(
	{ sql, log }: SettlerOptions,
	attempts: readonly SettledAttempt[],
): Promise<void> {
	for (const { phoneNumberId, recipient, outcome } of attempts) {
		if (outcome.kind !== "sent" || outcome.waId === undefined) continue;
		const { waId } = outcome;
		if (waId === recipient.replace("+", "")) continue;
		try {
			await learnWaIds(sql, [{ phoneNumberId, recipient, waId }]);
		} catch (error) {
			log.warn({ err: error }, "the provider's name could not be kept");
		}
	}
}
