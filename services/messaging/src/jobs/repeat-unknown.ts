import { transaction } from "@airtower/platform/database/database";
import type { DeliveryContext } from "../context.ts";
import {
	rematchReceipts,
	reportRematched,
} from "../receipts/rematch-receipts.ts";
import {
	allowRepeats,
	findDueUnknown,
} from "../store/dispatch/unknown-dispatch.ts";
import { claimReceiptsOf } from "../store/receipts/receipts.ts";

const BATCH_SIZE = 100;
/** Of the numbers of a batch. */
const MOST_RECEIPTS = 1_000;

/**
 * Looks once more for receipts of unknown messages that are due to go again, however long those were to wait, and then
 * lets go what is still unknown; returns how many it looked at.
 */
export async function repeatUnknown(ctx: DeliveryContext): Promise<number> {
	const routes = ctx.dispatchers.map(({ operator }) => operator.code);
	const due = await findDueUnknown(ctx.sql, routes, BATCH_SIZE);
	if (due.length === 0) return 0;
	const rematched = await transaction(ctx.sql, async (sql) =>
		rematchReceipts(ctx, sql, await claimReceiptsOf(sql, due, MOST_RECEIPTS)),
	);
	reportRematched(ctx, rematched);
	await allowRepeats(ctx.sql, due);
	return due.length;
}
