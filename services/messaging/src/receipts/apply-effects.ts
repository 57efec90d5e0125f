import type { Tx } from "@airtower/platform/database/database";
import type { Logger } from "@airtower/platform/runtime/log";
import { longMessageEnd, singleMessageEnd } from "../domain/message-state.ts";
import type { Receipt } from "../domain/receipts/receipt.ts";
import type {
	NumberedReceipt,
	PartEnd,
	ReceiptEffects,
} from "../domain/receipts/receipt-effects.ts";
import { publishOutcomes } from "../publish-outcomes.ts";
import type { RouteTraffic } from "../route-traffic.ts";
import { deleteDispatch } from "../store/dispatch/dispatch-settles.ts";
import {
	type FinishedMessage,
	finishMessages,
	lockMessages,
	recordAttempts,
} from "../store/message-updates.ts";
import { findPartsProgress, finishParts } from "../store/parts.ts";
import type { Telemetry } from "../telemetry.ts";

/** Ends parts as their receipts say, the messages that have ended by it, and records their outcomes. */
export async function endParts(
	sql: Tx,
	ends: readonly PartEnd[],
): Promise<FinishedMessage[]> {
	if (ends.length === 0) return [];
	const single = ends.filter((end) => end.partCount === 1 && !end.isLate);
	const stored = ends.filter((end) => end.partCount > 1 || end.isLate);
	const long = ends.filter((end) => end.partCount > 1);
	const longIds = [...new Set(long.map((end) => end.messageId))];
	const [, , progress] = await Promise.all([
		lockMessages(sql, longIds),
		finishParts(sql, stored),
		findPartsProgress(sql, longIds),
	]);
	const longEnds = progress.flatMap((one) => longMessageEnd(one, long) ?? []);
	const finished = await finishMessages(sql, [
		...single.map(singleMessageEnd),
		...longEnds,
	]);
	// A part that failed ends its message while others of it may still wait to be sent, or be on their way.
	const failed = longEnds.filter((end) => end.status === "failed");
	const ids = failed.map((end) => end.id);
	await recordAttempts(sql, await deleteDispatch(sql, ids));
	await publishOutcomes(sql, finished, "receipt");
	return finished;
}

export interface ReceiptReporter {
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly traffic: RouteTraffic;
	readonly onFinished: (finished: readonly FinishedMessage[]) => void;
}

/** Tells what became of receipts, once that is committed. */
export function reportReceipts(
	{ log, telemetry, traffic, onFinished }: ReceiptReporter,
	receipts: readonly (NumberedReceipt &
		Pick<Receipt, "operatorAccount" | "operatorMessageId">)[],
	{ done, late, unmatched, others, ambiguous }: ReceiptEffects,
	finished: readonly FinishedMessage[],
): void {
	telemetry.receipts.inc({ result: "applied" }, done.length - late.length);
	telemetry.receipts.inc({ result: "late" }, late.length);
	telemetry.receipts.inc(
		{ result: "parked" },
		unmatched.length - others.length,
	);
	telemetry.receipts.inc({ result: "other_number" }, others.length);
	telemetry.receipts.inc({ result: "ambiguous" }, ambiguous.length);
	for (const message of finished) {
		const { route, submittedAt, finishedAt } = message;
		if (submittedAt === null) continue;
		telemetry.receiptDelay
			.labels(route)
			.observe(Math.max(0, finishedAt.getTime() - submittedAt.getTime()) / 1e3);
		traffic.countEnded(message);
	}
	onFinished(finished);
	for (const { id, operatorAccount, operatorMessageId } of receipts)
		if (ambiguous.includes(id))
			log.error(
				{ operatorAccount, operatorMessageId },
				"a receipt names several messages; it is kept and not applied",
			);
}
