import { transaction } from "@airtower/platform/database/database";
import type { DeliveryContext } from "../delivery-context.ts";
import { lookAtReceipts, reportLooked } from "../receipts/look-at-receipts.ts";
import { claimReceipts } from "../store/receipts/receipts.ts";

const BATCH_SIZE = 500;

/** Looks again for the parts of parked receipts; returns how many it looked at. */
export async function retryReceipts(ctx: DeliveryContext): Promise<number> {
	const looked = await transaction(ctx.sql, async (sql) =>
		lookAtReceipts(ctx, sql, await claimReceipts(sql, BATCH_SIZE)),
	);
	reportLooked(ctx, looked);
	return looked.receipts.length;
}
