import { deleteExpiredIdempotencyRecords } from "@airtower/platform/database/idempotency";
import { deleteExpiredInboxRows } from "@airtower/platform/events/inbox";
import type { CampaignsContext } from "../context.ts";

/** Rows deleted in one round. */
const ROUND_ROWS = 5_000;

/** Deletes what is past its retention; answers how much. */
export async function deleteExpired(ctx: CampaignsContext): Promise<number> {
	return (
		(await deleteExpiredIdempotencyRecords(ctx.sql, ROUND_ROWS)) +
		(await deleteExpiredInboxRows(ctx.sql, ROUND_ROWS))
	);
}
