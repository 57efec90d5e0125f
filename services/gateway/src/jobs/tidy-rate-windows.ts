import type { Db } from "@airtower/platform/database/database";
import { WINDOW_S, windowStart } from "../domain/rate-window.ts";
import type { RateLimiter } from "../limiting/rate-limiter.ts";
import { deleteOldWindows } from "../store/rate-windows.ts";

/** Windows are kept a while after their end: another gateway's clock may be late. */
const KEEP_WINDOWS = 10;
const MAX_DELETED_AT_ONCE = 5_000;

/** Gives idle units back and deletes windows long over; returns how many, 0 unless there may be more. */
export async function tidyRateWindows(
	sql: Db,
	limiter: RateLimiter,
	nowMs: number,
): Promise<number> {
	await limiter.tidy();
	const keptS = KEEP_WINDOWS * WINDOW_S;
	const before = windowStart(nowMs) - keptS;
	const deleted = await deleteOldWindows(
		sql,
		{ before, keptS },
		MAX_DELETED_AT_ONCE,
	);
	return deleted === MAX_DELETED_AT_ONCE ? deleted : 0;
}
