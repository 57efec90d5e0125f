import { deleteExpiredIdempotencyRecords } from "@airtower/platform/database/idempotency-records";
import { findShortestRetention } from "@airtower/platform/privacy/retentions";
import type { Context } from "../context.ts";
import { deleteOldCallbacks } from "../store/callbacks.ts";

/** Rows of one statement: small enough to keep no lock for long. */
const BATCH = 2_000;
const PROCESSED_DAYS = 7;
const KEPT_DAYS = 30;

/** Deletes what is kept for a time only; returns how many rows. */
export async function deleteExpired({ sql, limits }: Context): Promise<number> {
	// A callback may tell of several organizations: the shortest retention counts.
	const days = await findShortestRetention(sql, limits.bodyDays);
	const processedDays = Math.min(PROCESSED_DAYS, days);
	const keptDays = Math.min(KEPT_DAYS, days);
	return (
		(await deleteExpiredIdempotencyRecords(sql, BATCH)) +
		(await deleteOldCallbacks(sql, "processed", processedDays, BATCH)) +
		(await deleteOldCallbacks(sql, "kept", keptDays, BATCH))
	);
}
