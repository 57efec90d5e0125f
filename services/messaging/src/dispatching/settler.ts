import { type Collector, createCollector } from "@airtower/platform/collector";
import { type Db, postgresCode } from "@airtower/platform/database";
import type { Logger } from "@airtower/platform/log";
import { pause } from "@airtower/platform/loop";
import { loggable } from "../errors.ts";
import type { FinishedMessage } from "../store/message-changes.ts";
import type { MessagingTelemetry } from "../telemetry.ts";
import {
	type SettledAttempt,
	type SettleReport,
	settleAttempts,
} from "./settle-attempts.ts";

export interface SettlerOptions {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: MessagingTelemetry;
	/** Ends the waiting for a database that is away. */
	readonly signal: AbortSignal;
	/** Told of the outcomes of each settled batch. */
	readonly onFinished: (finished: readonly FinishedMessage[]) => void;
}

export type Settler = Collector<SettledAttempt, void>;

const MAX_BATCH = 500;
const MAX_IN_FLIGHT = 2;
const RETRY_MS = 500;

/**
 * Gathers finished attempts into transactions, at once: the operator's window waits for them. An
 * operator's answer comes once: while the database is away it is kept and tried again; repeating is
 * safe, for the fence holds once.
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
	for (;;) {
		try {
			const settled = await settleAttempts(options.sql, attempts);
			return report(options, attempts, settled);
		} catch (error) {
			if (options.signal.aborted) throw error;
			options.log.error(
				{ err: loggable(error) },
				"attempts could not be settled",
			);
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
		return settleInsistently(options, attempts.map(withoutResult));
	const middle = Math.ceil(attempts.length / 2);
	await settleInsistently(options, attempts.slice(0, middle));
	await settleInsistently(options, attempts.slice(middle));
}

function withoutResult(attempt: SettledAttempt): SettledAttempt {
	return { ...attempt, result: undefined, outcome: { kind: "unknown" } };
}

function isDataError(error: unknown): boolean {
	return /^(22|23|54)/.test(postgresCode(error) ?? "");
}

function report(
	{ log, telemetry, onFinished }: SettlerOptions,
	attempts: readonly SettledAttempt[],
	settled: SettleReport,
): void {
	attempts.forEach(({ messageId, attempt, outcome }, index) => {
		const held = settled.held[index] === true;
		telemetry.countAttempts(held ? outcome.kind : "fenced", 1);
		if (held) return;
		log.warn(
			{ messageId, attempt, outcome: outcome.kind },
			"an attempt ended after its message had gone to another owner",
		);
	});
	onFinished(settled.finished);
}
