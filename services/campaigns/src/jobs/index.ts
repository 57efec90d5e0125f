import { createClockGuard } from "@airtower/platform/database/clock-guard";
import { FOLLOW_CLOCK_EVERY_MS } from "@airtower/platform/database/follow-clock";
import type { Jobs } from "@airtower/platform/runtime/jobs";
import type { Context } from "../context.ts";
import { deleteExpired } from "./delete-expired.ts";
import { followDatabaseClock } from "./follow-clock.ts";
import { forgetRecipients } from "./forget-recipients.ts";
import { measureCampaigns } from "./measure-campaigns.ts";
import { runDueCampaign } from "./run-campaigns.ts";

/** Campaigns worked on at once in one process. */
const CAMPAIGN_WORKERS = 3;
const RUN_CAMPAIGNS_EVERY_MS = 500;
const MEASURE_EVERY_MS = 5_000;
const DELETE_EXPIRED_EVERY_MS = 60_000;
const FORGET_EVERY_MS = 60_000;

/** Starts every loop of the service; returns a function to call when a campaign may be due. */
export function startJobs(ctx: Context, jobs: Jobs): () => void {
	const whileClocksAgree = createClockGuard(ctx);
	const underWay: string[] = [];
	const workers = Array.from({ length: CAMPAIGN_WORKERS }, () =>
		jobs.start({
			name: "run-campaigns",
			intervalMs: RUN_CAMPAIGNS_EVERY_MS,
			runOnce: (signal) => runDueCampaign(ctx, signal, underWay),
		}),
	);
	jobs.start({
		name: "follow-clock",
		intervalMs: FOLLOW_CLOCK_EVERY_MS,
		runOnce: () => followDatabaseClock(ctx),
	});
	jobs.start({
		name: "measure-campaigns",
		intervalMs: MEASURE_EVERY_MS,
		runOnce: () => measureCampaigns(ctx),
	});
	jobs.start({
		name: "delete-expired",
		intervalMs: DELETE_EXPIRED_EVERY_MS,
		runOnce: () => whileClocksAgree(() => deleteExpired(ctx)),
	});
	jobs.start({
		name: "forget-recipients",
		intervalMs: FORGET_EVERY_MS,
		runOnce: (signal) => whileClocksAgree(() => forgetRecipients(ctx, signal)),
	});
	return () => {
		for (const worker of workers) worker.wake();
	};
}
