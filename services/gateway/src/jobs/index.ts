import type { Db } from "@airtower/platform/database/database";
import type { Jobs } from "@airtower/platform/runtime/jobs";
import type { Context } from "../context.ts";
import { WINDOW_S, windowStart } from "../domain/rate-window.ts";
import type { RateLimiter } from "../limiting/rate-limiter.ts";
import { deleteOldWindows } from "../store/rate-windows.ts";
import { checkHealth } from "./check-health.ts";
import { deleteOldLines, storeRequests } from "./store-requests.ts";

/** With two time-outs of a check, or the age of a service's own finding, a fault shows within 3 s. */
const HEALTH_INTERVAL_MS = 1_000;
/** Between rounds while something is not ok. */
const HEALTH_LINGER_MS = 500;
const TIDY_INTERVAL_MS = 5_000;
/** A process that is killed loses the lines of so long. */
const STORE_REQUESTS_INTERVAL_MS = 1_000;
const DELETE_OLD_LINES_INTERVAL_MS = 3_600_000;

export function startJobs(ctx: Context, jobs: Jobs): void {
	jobs.start({
		name: "gateway.health",
		intervalMs: HEALTH_INTERVAL_MS,
		lingerMs: HEALTH_LINGER_MS,
		runOnce: () => checkHealth(ctx),
	});
	jobs.start({
		name: "gateway.rate-windows",
		intervalMs: TIDY_INTERVAL_MS,
		runOnce: () => tidyRateWindows(ctx.sql, ctx.limiter, ctx.nowMs()),
	});
	jobs.start({
		name: "gateway.requests",
		intervalMs: STORE_REQUESTS_INTERVAL_MS,
		runOnce: () => storeRequests(ctx),
	});
	jobs.start({
		name: "gateway.old-requests",
		intervalMs: DELETE_OLD_LINES_INTERVAL_MS,
		runOnce: () => deleteOldLines(ctx),
	});
}

/** Windows are kept a while after their end: another gateway's clock may be late. */
const KEEP_WINDOWS = 10;
const MAX_DELETED_AT_ONCE = 5_000;

/** Gives idle units back and deletes windows long over; returns how many, 0 unless there may be more. */
async function tidyRateWindows(
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
