import type { Db } from "@airtower/platform/database/database";
import type { Logger } from "@airtower/platform/runtime/log";
import { createSettling, type Settler } from "@airtower/platform/work/settling";
import type { FinishedMessage } from "../store/finished-messages.ts";
import type { Telemetry } from "../telemetry.ts";
import { type SettleReport, settleAttempts } from "./settle-attempts.ts";
import type { SettledAttempt } from "./settled-attempt.ts";

export interface SettlerOptions {
	readonly sql: Db;
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly signal: AbortSignal;
	readonly onFinished: (finished: readonly FinishedMessage[]) => void;
}

const MAX_BATCH = 500;

/** Settles finished attempts; one whose result cannot be stored becomes unknown. */
export function createSettler(
	options: SettlerOptions,
): Settler<SettledAttempt> {
	const { sql, log, signal } = options;
	return createSettling({
		...{ maxBatch: MAX_BATCH, log, signal, withoutResponse },
		settle: async (attempts) =>
			report(options, attempts, await settleAttempts(sql, attempts)),
	});
}

function withoutResponse(attempt: SettledAttempt): SettledAttempt {
	return { ...attempt, result: undefined, outcome: { kind: "unknown" } };
}

function report(
	{ log, telemetry, onFinished }: SettlerOptions,
	attempts: readonly SettledAttempt[],
	settled: SettleReport,
): void {
	attempts.forEach(({ message, operator, outcome }, index) => {
		const held = settled.held[index] === true;
		telemetry.attempts.inc({ outcome: held ? outcome.kind : "fenced" });
		if (held && outcome.kind !== "unknown") return;
		const { messageId, attempt } = message;
		log.warn(
			{ messageId, attempt, route: operator.code, outcome: outcome.kind },
			held
				? "what became of a message is unknown until a receipt or an admin tells"
				: "an attempt ended after its message had gone to another owner",
		);
	});
	onFinished(settled.finished);
}
