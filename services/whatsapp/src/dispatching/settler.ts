import { type Collector, createCollector } from "@airtower/platform/collector";
import { type Db, postgresCode } from "@airtower/platform/database";
import type { Logger } from "@airtower/platform/log";
import { pause } from "@airtower/platform/loop";
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

export type Settler = Collector<SettledAttempt, void>;

const MAX_BATCH = 200;
const MAX_IN_FLIGHT = 2;
const RETRY_MS = 500;

/**
 * Gathers finished attempts into transactions. An answer comes once: while the database is away it
 * is kept and tried again; repeating is safe, for the fence holds once.
 */
export function createSettler(options: SettlerOptions): Settler {
	return createCollector<SettledAttempt, void>({
		maxItems: MAX_BATCH,
		maxInFlight: MAX_IN_FLIGHT,
		flush: async (attempts) => {
			await settleInsistently(options, attempts);
			return attempts.map(() => undefined);
		},
	});
}

async function settleInsistently(
	options: SettlerOptions,
	attempts: readonly SettledAttempt[],
): Promise<void> {
	const { sql, unknownWaitMs } = options;
	for (;;) {
		try {
			const report = await settleAttempts(sql, attempts, unknownWaitMs);
			return await tell(options, attempts, report);
		} catch (error) {
			if (options.signal.aborted) throw error;
			options.log.error({ err: error }, "attempts could not be settled");
			if (isDataError(error)) return settleApart(options, attempts);
			await pause(RETRY_MS, options.signal);
		}
	}
}

/** Keeps a row that the database refuses from holding up the others: alone, it becomes unknown. */
async function settleApart(
	options: SettlerOptions,
	attempts: readonly SettledAttempt[],
): Promise<void> {
	if (attempts.length === 1)
		return settleInsistently(options, attempts.map(withoutAnswer));
	const middle = Math.ceil(attempts.length / 2);
	await settleInsistently(options, attempts.slice(0, middle));
	await settleInsistently(options, attempts.slice(middle));
}

function withoutAnswer(attempt: SettledAttempt): SettledAttempt {
	return {
		...attempt,
		outcome: { kind: "unknown" },
		providerError: undefined,
	};
}

function isDataError(error: unknown): boolean {
	return /^(22|23|54)/.test(postgresCode(error) ?? "");
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
	telemetry.outcomes.inc({ status: "failed" }, report.finished.length);
	if (report.finished.length > 0) options.onFinished();
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
