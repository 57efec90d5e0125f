import { deleteExpiredIdempotencyRecords } from "@airtower/platform/database/idempotency";
import type { Context } from "../context.ts";
import { deleteOldCallbacks } from "../store/callbacks.ts";

/** Rows of one statement: small enough to hold no lock for long. */
const BATCH = 2_000;
const PROCESSED_DAYS = 7;
const KEPT_DAYS = 30;

/** Deletes what is kept for a time only; returns how many rows. */
export async function deleteExpired({ sql }: Context): Promise<number> {
	return (
		(await deleteExpiredIdempotencyRecords(sql, BATCH)) +
		(await deleteOldCallbacks(sql, "processed", PROCESSED_DAYS, BATCH)) +
		(await deleteOldCallbacks(sql, "kept", KEPT_DAYS, BATCH))
	);
}
