import { deleteExpiredIdempotencyRecords } from "@airtower/platform/database/idempotency";
import type { Context } from "../context.ts";

/** Rows deleted in one statement. */
const BATCH = 1_000;

/** Deletes stored responses that are past their retention; returns how many. */
export function deleteExpired(ctx: Context): Promise<number> {
	return deleteExpiredIdempotencyRecords(ctx.sql, BATCH);
}
