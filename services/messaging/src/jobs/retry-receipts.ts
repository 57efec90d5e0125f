import { transaction } from "@airtower/platform/database/database";
import type { DeliveryContext } from "../context.ts";
import {
	rematchReceipts,
	reportRematched,
} from "../receipts/rematch-receipts.ts";
import { claimReceipts } from "../store/receipts/receipts.ts";

const BATCH_SIZE = 500;

/** Looks again for the parts of parked receipts; returns how many it looked at. */
export async function retryReceipts(ctx: DeliveryContext): Promise<number> {
	const rematched = await transaction(ctx.sql, async (sql) =>
		rematchReceipts(ctx, sql, await claimReceipts(sql, BATCH_SIZE)),
	);
	reportRematched(ctx, rematched);
	return rematched.receipts.length;
}
