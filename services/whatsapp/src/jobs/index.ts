import { createClockGuard } from "@airtower/platform/database/clock-guard";
import { FOLLOW_CLOCK_EVERY_MS } from "@airtower/platform/database/follow-clock";
import type { Jobs } from "@airtower/platform/runtime/jobs";
import { BACKGROUND_LINGER_MS } from "@airtower/platform/runtime/loop";
import { LINGER_MS } from "@airtower/platform/work/worker";
import type { Context, Wakers } from "../context.ts";
import { clearClosedWindows } from "../store/windows.ts";
import { deleteExpired } from "./delete-expired.ts";
import { deleteOldRecords } from "./delete-old-records.ts";
import { expireMessages } from "./expire-messages.ts";
import { followDatabaseClock } from "./follow-clock.ts";
import { measureDispatch } from "./measure-dispatch.ts";
import { pollTemplates } from "./poll-templates.ts";
import { createCallbackJob } from "./process-callbacks.ts";
import { rescueDispatch } from "./rescue-dispatch.ts";

/** Waits of the loops when they find nothing to do, ms. */
const DISPATCH_EVERY_MS = 250;
const CALLBACKS_EVERY_MS = 500;
const SECOND_MS = 1_000;
const CLOSE_WINDOWS_EVERY_MS = 30_000;
const CLOSED_AT_ONCE = 1_000;
const DELETE_EVERY_MS = 60_000;
const MEASURE_EVERY_MS = 5_000;

export function startJobs(ctx: Context, jobs: Jobs): Wakers {
	const start = (
		name: string,
		intervalMs: number,
		job: (ctx: Context) => Promise<number>,
		lingerMs?: number,
	) => jobs.start({ name, intervalMs, lingerMs, runOnce: () => job(ctx) });
	const dispatch = jobs.start({
		name: "dispatch",
		intervalMs: DISPATCH_EVERY_MS,
		lingerMs: LINGER_MS,
		runOnce: ctx.dispatcher.nextRound,
	});
	const callbacks = start(
		"callbacks",
		CALLBACKS_EVERY_MS,
		createCallbackJob(),
		BACKGROUND_LINGER_MS,
	);
	const templates = start("poll-templates", SECOND_MS, pollTemplates);
	start("rescue-dispatch", SECOND_MS, rescueDispatch);
	start("follow-clock", FOLLOW_CLOCK_EVERY_MS, followDatabaseClock);
	start("expire-messages", SECOND_MS, expireMessages);
	start("close-windows", CLOSE_WINDOWS_EVERY_MS, ({ sql }) =>
		clearClosedWindows(sql, CLOSED_AT_ONCE),
	);
	const whileClocksAgree = createClockGuard(ctx);
	start("delete-expired", DELETE_EVERY_MS, (ctx) =>
		whileClocksAgree(() => deleteExpired(ctx)),
	);
	start("delete-old-records", DELETE_EVERY_MS, (ctx) =>
		whileClocksAgree(() => deleteOldRecords(ctx)),
	);
	start("measure-dispatch", MEASURE_EVERY_MS, measureDispatch);
	return {
		dispatch: dispatch.wake,
		callbacks: callbacks.wake,
		templates: templates.wake,
	};
}
