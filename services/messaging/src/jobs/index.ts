import {
	BACKGROUND_LINGER_MS,
	type Loop,
	type LoopOptions,
	runLoop,
} from "@airtower/platform/runtime/loop";
import { keepLease } from "@airtower/platform/work/lease";
import type { DeliveryContext } from "../delivery-context.ts";
import { type Dispatcher, LINGER_MS } from "../dispatching/dispatcher.ts";
import { keepPartitions } from "./create-partitions.ts";
import { deleteExpired } from "./delete-expired.ts";
import { dispatchMessages, releaseLostClaim } from "./dispatch-messages.ts";
import { expireMessages } from "./expire-messages.ts";
import { measureDispatch } from "./measure-dispatch.ts";
import { reportRoutes } from "./report-routes.ts";
import { endLease, rescueDispatch } from "./rescue-dispatch.ts";
import { retryReceipts } from "./retry-receipts.ts";

/** Waits of the loops when they find nothing to do, ms. */
const DISPATCH_EVERY_MS = 250;
const RETRY_RECEIPTS_EVERY_MS = 250;
const RESCUE_EVERY_MS = 1_000;
const EXPIRE_EVERY_MS = 1_000;
const MEASURE_EVERY_MS = 5_000;
const REPORT_ROUTES_EVERY_MS = 2_000;
const DELETE_EXPIRED_EVERY_MS = 60_000;
const CREATE_PARTITIONS_EVERY_MS = 3_600_000;

export interface RunningJobs {
	wakeDispatch(): void;
	/** Ends claiming; what is under way goes on. */
	stopDispatch(): Promise<void>;
	/** Ends all loops and gives the lease back; call it once nothing is under way. */
	close(): Promise<void>;
}

type Job = Pick<LoopOptions, "name" | "intervalMs" | "lingerMs"> & {
	readonly runOnce: (ctx: DeliveryContext) => Promise<number>;
};

const JOBS: readonly Job[] = [
	{
		name: "retry-receipts",
		intervalMs: RETRY_RECEIPTS_EVERY_MS,
		lingerMs: BACKGROUND_LINGER_MS,
		runOnce: retryReceipts,
	},
	{
		name: "rescue-dispatch",
		intervalMs: RESCUE_EVERY_MS,
		runOnce: rescueDispatch,
	},
	{
		name: "expire-messages",
		intervalMs: EXPIRE_EVERY_MS,
		runOnce: expireMessages,
	},
	{
		name: "measure-dispatch",
		intervalMs: MEASURE_EVERY_MS,
		runOnce: measureDispatch,
	},
	{
		name: "report-routes",
		intervalMs: REPORT_ROUTES_EVERY_MS,
		runOnce: reportRoutes,
	},
	{
		name: "delete-expired",
		intervalMs: DELETE_EXPIRED_EVERY_MS,
		runOnce: deleteExpired,
	},
	{
		name: "create-partitions",
		intervalMs: CREATE_PARTITIONS_EVERY_MS,
		runOnce: keepPartitions,
	},
];

export function startJobs(ctx: DeliveryContext): RunningJobs {
	const { log, lease, limits } = ctx;
	const dispatching = new AbortController();
	const { signal } = dispatching;
	const dispatchLoops = ctx.dispatchers.map((dispatcher) =>
		startDispatch(ctx, dispatcher, signal),
	);
	const stop = new AbortController();
	const loops = [
		keepLease(lease, limits.leaseMs, { log, signal: stop.signal }),
		...JOBS.map(({ runOnce, ...options }) =>
			runLoop({
				...options,
				log,
				signal: stop.signal,
				runOnce: () => runOnce(ctx),
			}),
		),
	];
	return {
		wakeDispatch: () => {
			for (const loop of dispatchLoops) loop.wake();
		},
		stopDispatch: async () => {
			dispatching.abort();
			await Promise.all(dispatchLoops.map(({ done }) => done));
			for (const dispatcher of ctx.dispatchers)
				await releaseLostClaim(ctx, dispatcher);
		},
		close: async () => {
			stop.abort();
			await Promise.all(loops.map((loop) => loop.done));
			await endLease(ctx);
		},
	};
}

/** Rounds follow the operator's window: a half of it is claimed at once, less after a linger. */
function startDispatch(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	signal: AbortSignal,
): Loop {
	const { operator } = dispatcher;
	return runLoop({
		name: `dispatch ${operator.code}`,
		intervalMs: DISPATCH_EVERY_MS,
		lingerMs: LINGER_MS,
		batchSize: Math.ceil(operator.window / 2),
		log: ctx.log,
		signal,
		runOnce: async (signal) => {
			await releaseLostClaim(ctx, dispatcher);
			await dispatcher.waitForRoom(signal);
			return signal.aborted ? 0 : dispatchMessages(ctx, dispatcher);
		},
	});
}
