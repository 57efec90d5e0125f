import type { Jobs } from "@airtower/platform/runtime/jobs";
import type { Context } from "../context.ts";
import { checkHealth } from "./check-health.ts";
import { tidyRateWindows } from "./tidy-rate-windows.ts";

/** With two time-outs of a check, or the age of a service's own finding, a fault shows within 3 s. */
const HEALTH_INTERVAL_MS = 1_000;
/** Between rounds while something is not ok. */
const HEALTH_LINGER_MS = 500;
const TIDY_INTERVAL_MS = 5_000;

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
}
