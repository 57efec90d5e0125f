import { type Loop, runLoop } from "@airtower/platform/runtime/loop";
import type { Context } from "../context.ts";
import { deleteExpired } from "./delete-expired.ts";
import { runDueCampaign } from "./run-campaigns.ts";

/** Campaigns worked on at once in one process; those that are due take turns. */
const CAMPAIGN_WORKERS = 3;
/** Waits of the loops when they find nothing to do, ms. */
const RUN_CAMPAIGNS_EVERY_MS = 500;
const DELETE_EXPIRED_EVERY_MS = 60_000;

export interface RunningJobs {
	/** To be called when a campaign may be due. */
	wakeCampaigns(): void;
	/** Ends the loops once their rounds are over. */
	close(): Promise<void>;
}

/** Starts every loop of the service. */
export function startJobs(ctx: Context): RunningJobs {
	const stop = new AbortController();
	const common = { signal: stop.signal, log: ctx.log };
	const workers: Loop[] = Array.from({ length: CAMPAIGN_WORKERS }, () =>
		runLoop({
			...common,
			name: "run-campaigns",
			intervalMs: RUN_CAMPAIGNS_EVERY_MS,
			runOnce: (signal) => runDueCampaign(ctx, signal),
		}),
	);
	const upkeep = runLoop({
		...common,
		name: "delete-expired",
		intervalMs: DELETE_EXPIRED_EVERY_MS,
		runOnce: () => deleteExpired(ctx),
	});
	return {
		wakeCampaigns: () => {
			for (const worker of workers) worker.wake();
		},
		close: async () => {
			stop.abort();
			await Promise.all([...workers, upkeep].map((loop) => loop.done));
		},
	};
}
