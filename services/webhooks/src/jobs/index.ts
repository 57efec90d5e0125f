import { createClockGuard } from "@airtower/platform/database/clock-guard";
import { FOLLOW_CLOCK_EVERY_MS } from "@airtower/platform/database/follow-clock";
import type { Jobs } from "@airtower/platform/runtime/jobs";
import type { Loop } from "@airtower/platform/runtime/loop";
import type { Context } from "../context.ts";
import { deleteExpired } from "./delete-expired.ts";
import { disableEndpoints } from "./disable-endpoints.ts";
import { endAbandoned } from "./end-abandoned.ts";
import { findDue } from "./find-due.ts";
import { followDatabaseClock } from "./follow-clock.ts";
import { measureQueue } from "./measure-queue.ts";
import { rescueDeliveries } from "./rescue-deliveries.ts";

const DELIVER_EVERY_MS = 250;
const FIND_DUE_EVERY_MS = 500;
const RESCUE_EVERY_MS = 1_000;
const END_ABANDONED_EVERY_MS = 5_000;
const MEASURE_EVERY_MS = 5_000;
const DISABLE_EVERY_MS = 60_000;
const DELETE_EXPIRED_EVERY_MS = 60_000;
/** A few slots that come free together are claimed together. */
const DELIVER_LINGER_MS = 10;

/** Returns the loop that claims and sends. */
export function startJobs(ctx: Context, jobs: Jobs): Loop {
	const start = (
		name: string,
		intervalMs: number,
		runOnce: (ctx: Context) => Promise<number>,
	) => jobs.start({ name, intervalMs, runOnce: () => runOnce(ctx) });
	start("find-due", FIND_DUE_EVERY_MS, findDue);
	start("rescue-deliveries", RESCUE_EVERY_MS, rescueDeliveries);
	start("follow-clock", FOLLOW_CLOCK_EVERY_MS, followDatabaseClock);
	start("end-abandoned", END_ABANDONED_EVERY_MS, endAbandoned);
	start("measure-queue", MEASURE_EVERY_MS, measureQueue);
	start("disable-endpoints", DISABLE_EVERY_MS, disableEndpoints);
	const whileClocksAgree = createClockGuard(ctx);
	start("delete-expired", DELETE_EXPIRED_EVERY_MS, (ctx) =>
		whileClocksAgree(() => deleteExpired(ctx)),
	);
	return jobs.start({
		name: "deliver",
		intervalMs: DELIVER_EVERY_MS,
		lingerMs: DELIVER_LINGER_MS,
		runOnce: ctx.sender.nextRound,
	});
}
