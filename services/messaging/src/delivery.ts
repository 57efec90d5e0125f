import type { EventBus } from "@airtower/platform/events/event-bus";
import { startRelay } from "@airtower/platform/events/relay";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { CommonContext } from "./common-context.ts";
import {
	createDeliveryContext,
	type DeliveryContext,
} from "./delivery-context.ts";
import { measureRoutes } from "./dispatching/measure-routes.ts";
import { listenForWork } from "./dispatching/work-notice.ts";
import { startJobs, startSharing } from "./jobs/index.ts";
import type { Operator } from "./operators/operator.ts";
import { insertBindSlots } from "./store/bind-slots.ts";

/** Longest wait at a graceful stop, ms; the lease covers the rest. */
const LAST_SETTLES_MS = 5_000;

export interface DeliveryParts {
	readonly operators: readonly Operator[];
	readonly bus: EventBus;
	readonly metrics: Metrics;
	readonly schema: string;
	readonly random?: (() => number) | undefined;
}

export interface RunningDelivery {
	wake(): void;
	/** Takes no more work, waits for the operators' responses, records them, then ends the loops. */
	close(): Promise<void>;
}

/** Connections are opened last: a stop does not wait for a start, and would leave what they have sent by then. */
export async function startDelivery(
	common: CommonContext,
	{ operators, bus, metrics, schema, random }: DeliveryParts,
): Promise<RunningDelivery> {
	const { sql, log } = common;
	const abandon = new AbortController();
	const stopRelay = new AbortController();
	const stopSharing = new AbortController();
	measureRoutes(metrics, operators);
	const relay = startRelay({
		sql,
		log,
		bus,
		metrics,
		signal: stopRelay.signal,
	});
	const ctx = await createDeliveryContext(common, {
		operators,
		signal: abandon.signal,
		wakeRelay: relay.wake,
		random,
	});
	const jobs = startJobs(ctx);
	const endListening = await listenForWork(sql, schema, jobs.wakeDispatch);
	for (const operator of operators) {
		await insertBindSlots(sql, operator.code, operator.binds);
		operator.start({ onReceipt: ctx.receiptIntake.add });
	}
	const sharing = startSharing(ctx, stopSharing.signal);
	return {
		wake: jobs.wakeDispatch,
		close: () =>
			closeAll([
				endListening,
				() => {
					stopSharing.abort();
					return sharing.done;
				},
				() => jobs.stopDispatch(),
				() => Promise.all(operators.map((operator) => operator.close())),
				() => settleLast(ctx, abandon),
				() => jobs.close(),
				() => {
					stopRelay.abort();
					return relay.done;
				},
			]),
	};
}

async function settleLast(
	ctx: DeliveryContext,
	abandon: AbortController,
): Promise<void> {
	const timer = setTimeout(() => abandon.abort(), LAST_SETTLES_MS);
	try {
		await Promise.all(ctx.dispatchers.map((dispatcher) => dispatcher.idle()));
		await ctx.receiptIntake.drain();
	} finally {
		clearTimeout(timer);
	}
}
