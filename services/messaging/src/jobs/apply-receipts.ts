import { type Tx, transaction } from "@airtower/platform/database/database";
import type { DeliveryContext } from "../delivery-context.ts";
import { parkingDelayMs } from "../domain/parking-delay.ts";
import {
	longMessageEnd,
	type PartEnd,
	type ReceiptEffects,
	receiptEffects,
	singleMessageEnd,
} from "../domain/receipt-effects.ts";
import { publishOutcomes } from "../publish-outcomes.ts";
import { deleteDispatch } from "../store/dispatch.ts";
import {
	type FinishedMessage,
	finishMessages,
	lockMessages,
} from "../store/message-changes.ts";
import { firstIdAt } from "../store/partitions.ts";
import { findPartsProgress, finishParts } from "../store/parts.ts";
import {
	claimReceipts,
	deleteReceipts,
	matchReceipts,
	parkReceipts,
	type ReceiptRow,
} from "../store/receipts.ts";

const BATCH_SIZE = 500;
/** Parts of older messages are not looked for: validity (7 days at most) and the operator's delay, ms. */
const MATCH_AGE_MS = 10 * 24 * 3_600_000;

/**
 * Applies due receipts: part, message, outcome event and the receipt's own end share one transaction,
 * so that a repetition finds nothing left to do. Answers how many it looked at.
 */
export async function applyReceipts(ctx: DeliveryContext): Promise<number> {
	const oldest = firstIdAt(new Date(ctx.clock().getTime() - MATCH_AGE_MS));
	const { receipts, effects, finished } = await transaction(
		ctx.sql,
		async (sql) => {
			const receipts = await claimReceipts(sql, BATCH_SIZE);
			const ids = receipts.map((receipt) => receipt.id);
			const matches =
				ids.length === 0 ? [] : await matchReceipts(sql, ids, oldest);
			const oldestFirst = receipts.toSorted((a, b) => a.id - b.id);
			const effects = receiptEffects(oldestFirst, matches);
			const [finished] = await Promise.all([
				endMessages(sql, effects.ends),
				deleteReceipts(sql, effects.done),
				parkReceipts(sql, parkedOf(receipts, effects)),
			]);
			return { receipts, effects, finished };
		},
	);
	report(ctx, receipts, effects, finished);
	return receipts.length;
}

async function endMessages(
	sql: Tx,
	ends: readonly PartEnd[],
): Promise<FinishedMessage[]> {
	if (ends.length === 0) return [];
	const single = ends.filter((end) => end.partCount === 1);
	const long = ends.filter((end) => end.partCount > 1);
	const longIds = [...new Set(long.map((end) => end.messageId))];
	const [, , progress] = await Promise.all([
		lockMessages(sql, longIds),
		finishParts(sql, ends),
		findPartsProgress(sql, longIds),
	]);
	const longEnds = progress.flatMap((one) => longMessageEnd(one, long) ?? []);
	const finished = await finishMessages(sql, [
		...single.map(singleMessageEnd),
		...longEnds,
	]);
	// A part that failed ends the message while others of it may still wait to be sent.
	const failed = longEnds.filter((end) => end.status === "failed");
	await Promise.all([
		deleteDispatch(
			sql,
			failed.map((end) => end.id),
		),
		publishOutcomes(sql, finished),
	]);
	return finished;
}

function parkedOf(
	receipts: readonly ReceiptRow[],
	{ unmatched, ambiguous }: ReceiptEffects,
) {
	const misses = new Map(receipts.map(({ id, misses }) => [id, misses]));
	return [
		...unmatched.map((id) => ({
			id,
			delayMs: parkingDelayMs(misses.get(id) ?? 0),
		})),
		...ambiguous.map((id) => ({ id, delayMs: null })),
	];
}

function report(
	ctx: DeliveryContext,
	receipts: readonly ReceiptRow[],
	{ done, unmatched, ambiguous }: ReceiptEffects,
	finished: readonly FinishedMessage[],
): void {
	ctx.telemetry.countReceipts("applied", done.length);
	ctx.telemetry.countReceipts("parked", unmatched.length);
	ctx.telemetry.countReceipts("ambiguous", ambiguous.length);
	for (const { status } of finished) ctx.telemetry.countOutcomes(status, 1);
	if (finished.length > 0) ctx.poke.relay();
	for (const receipt of receipts) {
		if (!ambiguous.includes(receipt.id)) continue;
		const { operatorAccount, operatorMessageId } = receipt;
		ctx.log.error(
			{ operatorAccount, operatorMessageId },
			"a receipt names several messages; it is kept and not applied",
		);
	}
}
