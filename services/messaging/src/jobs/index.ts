import { createClockGuard } from "@airtower/platform/database/clock-guard";
import { FOLLOW_CLOCK_EVERY_MS } from "@airtower/platform/database/follow-clock";
import { createJobs } from "@airtower/platform/runtime/jobs";
import { type Loop, runLoop } from "@airtower/platform/runtime/loop";
import { keepLease } from "@airtower/platform/work/lease";
import type { CommonContext, Context, DeliveryContext } from "../context.ts";
import { JUDGE_EVERY_MS } from "../dispatching/route-watch.ts";
import type { GiveBackContext } from "../give-back-quota.ts";
import { createReceiptJudge } from "../receipts/receipt-judge.ts";
import type { Routes } from "../routes/routes.ts";
import type { RunningRoutes } from "../routes/running-routes.ts";
import { blankOldBodies } from "./blank-old-bodies.ts";
import { deleteExpired } from "./delete-expired.ts";
import { dropPartitions } from "./drop-partitions.ts";
import { endWithoutReceipt } from "./end-without-receipt.ts";
import { expireMessages } from "./expire-messages.ts";
import { followDatabaseClock } from "./follow-clock.ts";
import { giveBackAbandoned } from "./give-back-quota.ts";
import { giveOnIncomplete } from "./give-on-incomplete.ts";
import { keepPartitions } from "./keep-partitions.ts";
import { measureDispatch } from "./measure-dispatch.ts";
import { repeatUnknown } from "./repeat-unknown.ts";
import { endLease, rescueDispatch } from "./rescue-dispatch.ts";
import { retryReceipts } from "./retry-receipts.ts";
import { createTrafficMeasures } from "./routes/measure-traffic.ts";
import { createWaitingMover } from "./routes/move-waiting.ts";
import { reportRoutes } from "./routes/report-routes.ts";
import { shareBinds } from "./routes/share-binds.ts";
import { storeTraffic } from "./routes/store-traffic.ts";
import { type RouteTestParts, testRoutes } from "./routes/test-routes.ts";
import { createRouteWarnings } from "./routes/warn-of-routes.ts";
import { createRouteWatching } from "./routes/watch-routes.ts";
import { sendReplies } from "./send-replies.ts";
import { stageScheduled } from "./stage-scheduled.ts";

interface RunningJobs {
	/** Call it once nothing is under way. */
	close(): Promise<void>;
}

/** Waits of the loops when they find nothing to do, ms. */
const SHARE_BINDS_EVERY_MS = 1_000;
const FOLLOW_ROUTES_EVERY_MS = 1_000;
const TEST_ROUTES_EVERY_MS = 500;
const MOVE_WAITING_EVERY_MS = 500;
const READ_RECEIPTS_EVERY_MS = 5_000;
const MEASURE_EVERY_MS = 5_000;
const SEND_REPLIES_EVERY_MS = 1_000;
const GIVE_BACK_EVERY_MS = 5_000;
const STORE_TRAFFIC_EVERY_MS = 5_000;
const MEASURE_TRAFFIC_EVERY_MS = 10_000;
const WARN_OF_ROUTES_EVERY_MS = 5_000;
const JOBS: readonly [
	name: string,
	intervalMs: number,
	runOnce: (ctx: DeliveryContext) => Promise<number>,
][] = [
	["retry-receipts", 250, retryReceipts],
	["repeat-unknown", 500, repeatUnknown],
	["rescue-dispatch", 1_000, rescueDispatch],
	["stage-scheduled", 1_000, stageScheduled],
	["expire-messages", 1_000, expireMessages],
	["report-routes", 2_000, reportRoutes],
	["give-on-incomplete", 5_000, giveOnIncomplete],
	["follow-clock", FOLLOW_CLOCK_EVERY_MS, followDatabaseClock],
	["end-without-receipt", 10_000, endWithoutReceipt],
	["create-partitions", 3_600_000, keepPartitions],
];
/** Delete by age. */
const DELETIONS: typeof JOBS = [
	["delete-expired", 60_000, deleteExpired],
	["blank-bodies", 60_000, blankOldBodies],
	["drop-partitions", 3_600_000, dropPartitions],
];

/** @param tests undefined where routes are not data: then there is nothing to test */
export function startJobs(
	ctx: DeliveryContext,
	tests?: RouteTestParts,
): RunningJobs {
	const { log, lease, limits } = ctx;
	const jobs = createJobs(log);
	const { signal } = jobs;
	jobs.add(keepLease(lease, limits.leaseMs, { log, signal }));
	for (const [name, intervalMs, runOnce] of JOBS)
		jobs.start({ name, intervalMs, runOnce: () => runOnce(ctx) });
	const whileClocksAgree = createClockGuard(ctx);
	for (const [name, intervalMs, runOnce] of DELETIONS)
		jobs.start({
			name,
			intervalMs,
			runOnce: () => whileClocksAgree(() => runOnce(ctx)),
		});
	const watching = createRouteWatching(createReceiptJudge());
	jobs.start({
		name: "watch-routes",
		intervalMs: JUDGE_EVERY_MS,
		maxBackoffMs: JUDGE_EVERY_MS,
		runOnce: () => watching.watchRoutes(ctx),
	});
	jobs.start({
		name: "read-receipts",
		intervalMs: READ_RECEIPTS_EVERY_MS,
		runOnce: () => watching.readReceipts(ctx),
	});
	const moveWaiting = createWaitingMover();
	jobs.start({
		name: "move-waiting",
		intervalMs: MOVE_WAITING_EVERY_MS,
		runOnce: () => moveWaiting(ctx),
	});
	const warnOfRoutes = createRouteWarnings();
	jobs.start({
		name: "warn-of-routes",
		intervalMs: WARN_OF_ROUTES_EVERY_MS,
		runOnce: () => warnOfRoutes(ctx),
	});
	const measureTraffic = createTrafficMeasures();
	jobs.start({
		name: "measure-traffic",
		intervalMs: MEASURE_TRAFFIC_EVERY_MS,
		runOnce: () => measureTraffic(ctx),
	});
	if (tests !== undefined)
		jobs.start({
			name: "test-routes",
			intervalMs: TEST_ROUTES_EVERY_MS,
			runOnce: (signal) => testRoutes(ctx, tests, signal),
		});
	return {
		close: async () => {
			await jobs.close();
			await endLease(ctx);
		},
	};
}

/** In every process: when none delivers, those that accept tell what waits, and they too take receipts. */
export function startMeasuring(
	ctx: CommonContext & GiveBackContext,
): RunningJobs {
	const jobs = createJobs(ctx.log);
	jobs.start({
		name: "measure-dispatch",
		intervalMs: MEASURE_EVERY_MS,
		runOnce: () => measureDispatch(ctx),
	});
	jobs.start({
		name: "give-back-quota",
		intervalMs: GIVE_BACK_EVERY_MS,
		runOnce: () => giveBackAbandoned(ctx),
	});
	jobs.start({
		name: "store-traffic",
		intervalMs: STORE_TRAFFIC_EVERY_MS,
		runOnce: () => storeTraffic(ctx),
	});
	return {
		close: async () => {
			await jobs.close();
			await storeTraffic(ctx);
		},
	};
}

/** Has the responses to words accepted; in the processes that deliver, which are there for texts to come in. */
export function startReplying(ctx: Context): RunningJobs {
	const jobs = createJobs(ctx.log);
	jobs.start({
		name: "send-replies",
		intervalMs: SEND_REPLIES_EVERY_MS,
		runOnce: () => sendReplies(ctx),
	});
	return jobs;
}

/** Takes up what has changed in the table of routes, in every process. */
export function startFollowingRoutes(
	{ log }: Pick<CommonContext, "log">,
	routes: Routes,
	signal: AbortSignal,
	follow: RunningRoutes["follow"],
): Loop {
	return runLoop({
		name: "follow-routes",
		log,
		signal,
		intervalMs: FOLLOW_ROUTES_EVERY_MS,
		maxBackoffMs: FOLLOW_ROUTES_EVERY_MS,
		runOnce: async () => {
			await routes.refresh();
			await follow(routes.current());
			return 0;
		},
	});
}

/** Opens the first connections at once. */
export function startSharing(ctx: DeliveryContext, signal: AbortSignal): Loop {
	return runLoop({
		name: "share-binds",
		log: ctx.log,
		signal,
		intervalMs: SHARE_BINDS_EVERY_MS,
		maxBackoffMs: SHARE_BINDS_EVERY_MS,
		runOnce: () => shareBinds(ctx),
	});
}
