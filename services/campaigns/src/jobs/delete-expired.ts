import { deleteExpiredIdempotencyRecords } from "@airtower/platform/database/idempotency-records";
import { deleteExpiredInboxRows } from "@airtower/platform/events/inbox";
import type { Context } from "../context.ts";

const ROUND_ROWS = 5_000;

/** Deletes what is past its retention; returns how many rows. */
export async function deleteExpired({ sql }: Context): Promise<number> {
	return (
		(await deleteExpiredIdempotencyRecords(sql, ROUND_ROWS)) +
		(await deleteExpiredInboxRows(sql, ROUND_ROWS))
	);
}
