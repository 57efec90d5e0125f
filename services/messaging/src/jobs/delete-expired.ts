import { deleteExpiredIdempotencyRecords } from "@airtower/platform/database/idempotency-records";
import { deleteExpiredInboxRows } from "@airtower/platform/events/inbox";
import type { CommonContext } from "../context.ts";
import { deleteForgottenSeen } from "../store/inbound/inbound-seen.ts";
import { deleteExpiredReceipts } from "../store/receipts/receipts.ts";
import { deleteOldUnanswered } from "../store/receipts/unanswered.ts";
import { deleteOldTraffic } from "../store/routes/route-traffic.ts";

const BATCH_SIZE = 5_000;
/** How long a receipt waits for its part, ms. */
export const RECEIPT_RETENTION_MS = 72 * 3_600_000;

/** Deletes what is kept for a time only; returns how many rows. */
export async function deleteExpired(ctx: CommonContext): Promise<number> {
	const keys = await deleteExpiredIdempotencyRecords(ctx.sql, BATCH_SIZE);
	const receipts = await deleteExpiredReceipts(
		ctx.sql,
		RECEIPT_RETENTION_MS,
		BATCH_SIZE,
	);
	const submits = await deleteOldUnanswered(
		ctx.sql,
		ctx.limits.validityMs + RECEIPT_RETENTION_MS,
		BATCH_SIZE,
	);
	const traffic = await deleteOldTraffic(ctx.sql, BATCH_SIZE);
	const seen = await deleteForgottenSeen(ctx.sql, BATCH_SIZE);
	const events = await deleteExpiredInboxRows(ctx.sql, BATCH_SIZE);
	return events + keys + receipts + submits + traffic + seen;
}
