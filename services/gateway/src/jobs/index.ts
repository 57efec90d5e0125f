import { runLoop } from "@airtower/platform/runtime/loop";
import type { Context } from "../context.ts";
import { checkHealth } from "./check-health.ts";
import { tidyRateWindows } from "./tidy-rate-windows.ts";

const HEALTH_INTERVAL_MS = 1_500;
const TIDY_INTERVAL_MS = 5_000;

/** Starts the gateway's loops. */
export function startJobs(ctx: Context): { close(): Promise<void> } {
	const stop = new AbortController();
	const common = { signal: stop.signal, log: ctx.log };
	const loops = [
		runLoop({
			...common,
			name: "gateway.health",
			intervalMs: HEALTH_INTERVAL_MS,
			runOnce: () => checkHealth(ctx),
		}),
		runLoop({
			...common,
			name: "gateway.rate-windows",
			intervalMs: TIDY_INTERVAL_MS,
			runOnce: () => tidyRateWindows(ctx.sql, ctx.limiter, ctx.nowMs()),
		}),
	];
	return {
		close: async () => {
			stop.abort();
			await Promise.all(loops.map((loop) => loop.done));
		},
	};
}
