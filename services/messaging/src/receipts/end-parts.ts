import type { Tx } from "@airtower/platform/database/database";
import { longMessageEnd, singleMessageEnd } from "../domain/message-end.ts";
import type { PartEnd } from "../domain/receipts/receipt-effects.ts";
import { publishOutcomes } from "../publish-outcomes.ts";
import { deleteDispatch } from "../store/dispatch/dispatch.ts";
import {
	type FinishedMessage,
	finishMessages,
	lockMessages,
} from "../store/finished-messages.ts";
import { findPartsProgress, finishParts } from "../store/parts-progress.ts";
import { recordAttempts } from "../store/recorded-attempts.ts";

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
