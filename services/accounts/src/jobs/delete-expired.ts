import { deleteExpiredIdempotencyRecords } from "@airtower/platform/database/idempotency-records";
import type { Context } from "../context.ts";
import { firstKeptDay } from "../domain/due-days.ts";
import { lowestMark } from "../domain/report-counts.ts";
import { deleteDailyReports } from "../store/daily-reports.ts";
import { deleteMarks } from "../store/report-counts.ts";

/** Rows of one statement. */
const DELETED_AT_ONCE = 1_000;

/**
 * Deletes idempotency records, and the marks of what was counted and of which days were told of, once they are past
 * their retention; returns how many rows.
 */
export async function deleteExpired({
	sql,
	clock,
}: Pick<Context, "sql" | "clock">): Promise<number> {
	const now = clock();
	return (
		(await deleteExpiredIdempotencyRecords(sql, DELETED_AT_ONCE)) +
		(await deleteMarks(sql, lowestMark(now), DELETED_AT_ONCE)) +
		(await deleteDailyReports(sql, firstKeptDay(now), DELETED_AT_ONCE))
	);
}
