import { transaction } from "@airtower/platform/database/database";
import type { DeliveryContext } from "../delivery-context.ts";
import { parkingDelayMs } from "../domain/receipts/parking-delay.ts";
import { receiptEffects } from "../domain/receipts/receipt-effects.ts";
import { endParts } from "../end-parts.ts";
import { matchLimits } from "../receive-receipts.ts";
import { reportReceipts } from "../report-receipts.ts";
import { matchParkedReceipts } from "../store/receipts/receipt-matches.ts";
import {
	claimReceipts,
	deleteReceipts,
	parkReceipts,
} from "../store/receipts/receipts.ts";

const BATCH_SIZE = 500;

/** Looks again for the parts of parked receipts; returns how many it looked at. */
export async function retryReceipts(ctx: DeliveryContext): Promise<number> {
	const limits = matchLimits(ctx.clock());
	const { receipts, effects, finished } = await transaction(
		ctx.sql,
		async (sql) => {
			const receipts = await claimReceipts(sql, BATCH_SIZE);
			const ids = receipts.map((receipt) => receipt.id);
			const matches = await matchParkedReceipts(sql, ids, limits);
			const oldestFirst = receipts.toSorted((a, b) => a.id - b.id);
			const effects = receiptEffects(oldestFirst, matches);
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
			return { receipts, effects, finished };
		},
	);
	reportReceipts(ctx, receipts, effects, finished);
	return receipts.length;
}
