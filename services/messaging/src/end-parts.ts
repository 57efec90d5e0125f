import type { Tx } from "@airtower/platform/database/database";
import {
	longMessageEnd,
	type PartEnd,
	singleMessageEnd,
} from "./domain/receipt-effects.ts";
import { publishOutcomes } from "./publish-outcomes.ts";
import { deleteDispatch } from "./store/dispatch.ts";
import {
	type FinishedMessage,
	finishMessages,
	lockMessages,
	recordAttempts,
} from "./store/message-changes.ts";
import { findPartsProgress, finishParts } from "./store/parts.ts";

/** Ends parts as their receipts say, the messages that have ended by it, and records their outcomes. */
export async function endParts(
	sql: Tx,
	ends: readonly PartEnd[],
): Promise<FinishedMessage[]> {
	if (ends.length === 0) return [];
	const single = ends.filter((end) => end.partCount === 1);
	const long = ends.filter((end) => end.partCount > 1);
	const longIds = [...new Set(long.map((end) => end.messageId))];
	const [, , progress] = await Promise.all([
		lockMessages(sql, longIds),
		finishParts(sql, long),
		findPartsProgress(sql, longIds),
	]);
	const longEnds = progress.flatMap((one) => longMessageEnd(one, long) ?? []);
	const finished = await finishMessages(sql, [
		...single.map(singleMessageEnd),
		...longEnds,
	]);
	const failed = longEnds.filter((end) => end.status === "failed");
	await Promise.all([
		endDispatch(
			sql,
			failed.map((end) => end.id),
		),
		publishOutcomes(sql, finished),
	]);
	return finished;
}

/** A part that failed ends its message while others of it may still wait to be sent, or be on their way. */
async function endDispatch(sql: Tx, ids: readonly string[]): Promise<void> {
	await recordAttempts(sql, await deleteDispatch(sql, ids));
}
