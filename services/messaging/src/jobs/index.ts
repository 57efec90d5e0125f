import type { EventBus } from "@airtower/platform/events/event-bus";
import { startRelay } from "@airtower/platform/events/relay";
import {
	BACKGROUND_LINGER_MS,
	type Loop,
	type LoopOptions,
	runLoop,
} from "@airtower/platform/runtime/loop";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { DeliveryContext } from "../delivery-context.ts";
import type { Dispatcher } from "../dispatching/dispatcher.ts";
import { giveBackUnbegun } from "../dispatching/give-back-unbegun.ts";
import { applyReceipts } from "./apply-receipts.ts";
import { claimMessages, giveBackClaims } from "./claim-messages.ts";
import { keepPartitions } from "./create-partitions.ts";
import { deleteExpired } from "./delete-expired.ts";
import { dispatchMessages } from "./dispatch-messages.ts";
import { expireMessages } from "./expire-messages.ts";
import { measureDispatch } from "./measure-dispatch.ts";
import { reportRoutes } from "./report-routes.ts";
import { endLease, rescueDispatch } from "./rescue-dispatch.ts";

/** Pauses of the loops when they find nothing to do, ms. */
const CLAIM_EVERY_MS = 250;
const DISPATCH_EVERY_MS = 1_000;
const APPLY_RECEIPTS_EVERY_MS = 250;
const RECEIPT_BATCH = 500;
/** The operator's window refills in batches; a longer wait would leave a fast operator without work, ms. */
const DISPATCH_LINGER_MS = 20;
const RESCUE_EVERY_MS = 1_000;
const EXPIRE_EVERY_MS = 1_000;
const MEASURE_EVERY_MS = 5_000;
const REPORT_ROUTES_EVERY_MS = 2_000;
const DELETE_EXPIRED_EVERY_MS = 60_000;
const CREATE_PARTITIONS_EVERY_MS = 3_600_000;
/** A lease is renewed so many times within its length. */
const RENEWALS_PER_LEASE = 3;
/** One that fails is tried again so many times within it, and at least so often, ms. */
const TRIES_PER_LEASE = 15;
const LONGEST_RENEWAL_BACKOFF_MS = 1_000;

export interface RunningJobs {
	/** Ends claiming and submitting; what is under way goes on. */
	stopDispatch(): Promise<void>;
	/** Ends all loops and gives the lease back; call it once nothing is under way. */
	close(): Promise<void>;
}

type RunOnce = (ctx: DeliveryContext) => Promise<number>;

/** Starts every loop of the service. */
export function startJobs(
	ctx: DeliveryContext,
	bus: EventBus,
	metrics: Metrics,
): RunningJobs {
	const dispatching = new AbortController();
	const stop = new AbortController();
	const start = (
		name: string,
		intervalMs: number,
		runOnce: RunOnce,
		more: Pick<LoopOptions, "lingerMs" | "batchSize" | "maxBackoffMs"> = {},
	) => startLoop(ctx, stop.signal, { name, intervalMs, ...more }, runOnce);

	const dispatchLoops = ctx.dispatchers.map((dispatcher) =>
		startDispatcher(ctx, dispatcher, dispatching.signal),
	);
	const receipts = start(
		"apply-receipts",
		APPLY_RECEIPTS_EVERY_MS,
		applyReceipts,
		{ lingerMs: BACKGROUND_LINGER_MS, batchSize: RECEIPT_BATCH },
	);
	const relay = startRelay({
		sql: ctx.sql,
		log: ctx.log,
		bus,
		metrics,
		signal: stop.signal,
	});
	const { leaseMs } = ctx.limits;
	const loops = [
		receipts,
		relay,
		start("renew-lease", leaseMs / RENEWALS_PER_LEASE, renewLease, {
			maxBackoffMs: Math.min(
				leaseMs / TRIES_PER_LEASE,
				LONGEST_RENEWAL_BACKOFF_MS,
			),
		}),
		start("rescue-dispatch", RESCUE_EVERY_MS, rescueDispatch),
		start("expire-messages", EXPIRE_EVERY_MS, expireMessages),
		start("measure-dispatch", MEASURE_EVERY_MS, measureDispatch),
		start("report-routes", REPORT_ROUTES_EVERY_MS, reportRoutes),
		start("delete-expired", DELETE_EXPIRED_EVERY_MS, deleteExpired),
		start("create-partitions", CREATE_PARTITIONS_EVERY_MS, async (ctx) => {
			await keepPartitions(ctx.sql, ctx.log, ctx.clock());
			return 0;
		}),
	];
	ctx.poke.receipts = receipts.wake;
	ctx.poke.relay = relay.wake;
	ctx.poke.claim = pokeAll(dispatchLoops.map(({ claim }) => claim));
	ctx.poke.dispatch = pokeAll(dispatchLoops.map(({ submit }) => submit));

	return {
		stopDispatch: async () => {
			dispatching.abort();
			await Promise.all(dispatchLoops.map(({ done }) => done));
		},
		close: async () => {
			stop.abort();
			await Promise.all(loops.map((loop) => loop.done));
			await endLease(ctx);
		},
	};
}

function startLoop(
	ctx: DeliveryContext,
	signal: AbortSignal,
	options: Omit<LoopOptions, "signal" | "log" | "runOnce">,
	runOnce: RunOnce,
): Loop {
	return runLoop({
		...options,
		signal,
		log: ctx.log,
		runOnce: () => runOnce(ctx),
	});
}

function startDispatcher(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	signal: AbortSignal,
) {
	const route = dispatcher.operator.code;
	const claim = startLoop(
		ctx,
		signal,
		{
			name: `claim ${route}`,
			intervalMs: CLAIM_EVERY_MS,
			lingerMs: DISPATCH_LINGER_MS,
		},
		(ctx) => claimMessages(ctx, dispatcher),
	);
	const submit = startLoop(
		ctx,
		signal,
		{
			name: `dispatch ${route}`,
			intervalMs: DISPATCH_EVERY_MS,
			lingerMs: DISPATCH_LINGER_MS,
		},
		(ctx) => dispatchMessages(ctx, dispatcher),
	);
	dispatcher.operator.onCapacity(submit.wake);
	dispatcher.onSettled(submit.wake);
	const done = Promise.all([claim.done, submit.done]).then(async () => {
		await giveBackUnbegun(ctx.sql, dispatcher);
		await giveBackClaims(ctx, dispatcher);
	});
	return { claim, submit, done };
}

async function renewLease(ctx: DeliveryContext): Promise<number> {
	await ctx.lease.renew();
	return 0;
}

function pokeAll(loops: readonly Loop[]): () => void {
	return () => {
		for (const loop of loops) loop.wake();
	};
}
