import { createClockGuard } from "@airtower/platform/database/clock-guard";
import { FOLLOW_CLOCK_EVERY_MS } from "@airtower/platform/database/follow-clock";
import { createJobs, type Jobs } from "@airtower/platform/runtime/jobs";
import type { Logger } from "@airtower/platform/runtime/log";
import { type Loop, runLoop } from "@airtower/platform/runtime/loop";
import { keepLease } from "@airtower/platform/work/lease";
import { LINGER_MS } from "@airtower/platform/work/worker";
import type { CommonContext, DeliveryContext, Dispatcher } from "../context.ts";
import { blankOldBodies } from "./blank-old-bodies.ts";
import { deleteExpired } from "./delete-expired.ts";
import { dropPartitions } from "./drop-partitions.ts";
import { endWithoutReceipt } from "./end-without-receipt.ts";
import { expireMessages } from "./expire-messages.ts";
import { followDatabaseClock } from "./follow-clock.ts";
import { keepPartitions } from "./keep-partitions.ts";
import { measureDispatch } from "./measure-dispatch.ts";
import { repeatUnknown } from "./repeat-unknown.ts";
import { reportRoutes } from "./report-routes.ts";
import { endLease, rescueDispatch } from "./rescue-dispatch.ts";
import { retryReceipts } from "./retry-receipts.ts";
import { shareBinds } from "./share-binds.ts";
import { createRouteWarnings } from "./warn-of-routes.ts";

export interface RunningJobs {
	wakeDispatch(): void;
	/** Ends claiming; what is under way goes on. */
	stopDispatch(): Promise<void>;
	/** Call it once nothing is under way. */
	close(): Promise<void>;
}

/** Waits of the loops when they find nothing to do, ms. */
const DISPATCH_EVERY_MS = 250;
const SHARE_BINDS_EVERY_MS = 1_000;
const MEASURE_EVERY_MS = 5_000;
const WARN_OF_ROUTES_EVERY_MS = 5_000;
const JOBS: readonly [
	name: string,
	intervalMs: number,
	runOnce: (ctx: DeliveryContext) => Promise<number>,
][] = [
	["retry-receipts", 250, retryReceipts],
	["repeat-unknown", 500, repeatUnknown],
	["rescue-dispatch", 1_000, rescueDispatch],
	["expire-messages", 1_000, expireMessages],
	["report-routes", 2_000, reportRoutes],
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

export function startJobs(ctx: DeliveryContext): RunningJobs {
	const { log, lease, limits } = ctx;
	const dispatching = new AbortController();
	const dispatchLoops = ctx.dispatchers.map((dispatcher) =>
		startDispatch(dispatcher, log, dispatching.signal),
	);
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
	const warnOfRoutes = createRouteWarnings();
	jobs.start({
		name: "warn-of-routes",
		intervalMs: WARN_OF_ROUTES_EVERY_MS,
		runOnce: () => warnOfRoutes(ctx),
	});
	return {
		wakeDispatch: () => {
			for (const loop of dispatchLoops) loop.wake();
		},
		stopDispatch: async () => {
			dispatching.abort();
			await Promise.all(dispatchLoops.map(({ done }) => done));
			for (const dispatcher of ctx.dispatchers) await dispatcher.release();
		},
		close: async () => {
			await jobs.close();
			await endLease(ctx);
		},
	};
}

/** In every process: when none delivers, those that accept tell what waits. */
export function startMeasuring(ctx: CommonContext): Jobs {
	const jobs = createJobs(ctx.log);
	jobs.start({
		name: "measure-dispatch",
		intervalMs: MEASURE_EVERY_MS,
		runOnce: () => measureDispatch(ctx),
	});
	return jobs;
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

function startDispatch(
	{ operator, nextRound }: Dispatcher,
	log: Logger,
	signal: AbortSignal,
): Loop {
	return runLoop({
		name: `dispatch ${operator.code}`,
		intervalMs: DISPATCH_EVERY_MS,
		lingerMs: LINGER_MS,
		get batchSize() {
			return Math.ceil(operator.window / 2);
		},
		log,
		signal,
		runOnce: nextRound,
	});
}
