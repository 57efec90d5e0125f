import type { Tx } from "@airtower/platform/database/database";
import type { DeliveryContext } from "../delivery-context.ts";
import { parkingDelayMs } from "../domain/receipts/parking-delay.ts";
import { receiptEffects } from "../domain/receipts/receipt-effects.ts";
import { parkReceipts } from "../store/receipts/park-receipts.ts";
import { matchParkedReceipts } from "../store/receipts/receipt-matches.ts";
import {
	deleteReceipts,
	type ParkedReceipt,
} from "../store/receipts/receipts.ts";
import { findUnanswered } from "../store/receipts/unanswered-candidates.ts";
import { endParts } from "./end-parts.ts";
import { matchLimits } from "./receive-receipts.ts";
import { reportReceipts } from "./report-receipts.ts";
import { resolveUnknown } from "./resolve-unknown.ts";

export type RematchedReceipts = Awaited<ReturnType<typeof rematchReceipts>>;

/** Looks again for the parts of parked receipts that this transaction holds. */
export async function rematchReceipts(
	ctx: DeliveryContext,
	sql: Tx,
	found: readonly ParkedReceipt[],
) {
	const receipts = found.toSorted((a, b) => a.id - b.id);
	const { matches, resolved } = await findParts(ctx, sql, receipts);
	const effects = receiptEffects(receipts, [...matches, ...resolved]);
	const misses = new Map(receipts.map(({ id, misses }) => [id, misses]));
	const [finished] = await Promise.all([
		endParts(sql, effects.ends),
		deleteReceipts(sql, effects.done),
		parkReceipts(sql, [
			...effects.unmatched.map((id) => ({
				id,
				delayMs: parkingDelayMs(misses.get(id) ?? 0),
			})),
			...effects.ambiguous.map((id) => ({ id, delayMs: null })),
		]),
	]);
	return { receipts, resolved, effects, finished };
}

/** To be called once that is committed. */
export function reportRematched(
	ctx: DeliveryContext,
	{ receipts, resolved, effects, finished }: RematchedReceipts,
): void {
	for (const { messageId } of resolved)
		ctx.log.info({ messageId }, "a receipt resolved an unknown message");
	reportReceipts(ctx, receipts, effects, finished);
}

/** Submits without a response first: one that is responded to in between is then found by its key. */
async function findParts(
	ctx: DeliveryContext,
	sql: Tx,
	receipts: readonly ParkedReceipt[],
) {
	const ids = receipts.map((receipt) => receipt.id);
	const routes = ctx.dispatchers.map(({ operator }) => operator);
	const limits = matchLimits(ctx);
	const candidates = await findUnanswered(sql, ids, routes, limits.firstId);
	const matches = await matchParkedReceipts(sql, ids, limits);
	const matched = new Set(matches.map(({ receiptId }) => receiptId));
	const others = receipts.filter(({ id }) => !matched.has(id));
	const resolved = await resolveUnknown(sql, others, candidates);
	return { matches, resolved };
}
