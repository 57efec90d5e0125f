import type { EventBus } from "@airtower/platform/events/event-bus";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import type { CommonContext } from "./context.ts";
import {
	createDeliveryContext,
	type DeliveryContext,
} from "./delivery-context.ts";
import { listenToWorkBell } from "./dispatching/work-bell.ts";
import { startJobs } from "./jobs/index.ts";
import type { Operator } from "./operators/operator.ts";

/** Longest wait for the last answers to be recorded at a graceful stop, ms; the lease covers the rest. */
const LANDING_MS = 5_000;

export interface DeliveryParts {
	readonly operators: readonly Operator[];
	/** Used and not closed. */
	readonly bus: EventBus;
	readonly metrics: Metrics;
	/** Schema of the tables, where other processes of the service store messages. */
	readonly schema: string;
	/** The test seam. */
	readonly random?: (() => number) | undefined;
}

export interface RunningDelivery {
	/** Looks for stored messages now. */
	wake(): void;
	/** Takes no more work, waits for the operators' answers, records them, then ends the loops. */
	close(): Promise<void>;
}

/**
 * Starts what follows acceptance: the loops, then the operators. Nothing that may take long comes after them: a stop
 * does not wait for a start, and would leave behind what they have sent by then.
 */
export async function startDelivery(
	common: CommonContext,
	{ operators, bus, metrics, schema, random }: DeliveryParts,
): Promise<RunningDelivery> {
	const abandon = new AbortController();
	const { signal } = abandon;
	const ctx = await createDeliveryContext(common, {
		operators,
		signal,
		random,
	});
	const wake = () => ctx.poke.claim();
	await listenToWorkBell(ctx.sql, schema, wake);
	const jobs = startJobs(ctx, bus, metrics);
	await startOperators(ctx);
	return {
		wake,
		close: () =>
			closeAll([
				() => jobs.stopDispatch(),
				() => Promise.all(operators.map((operator) => operator.close())),
				() => landed(ctx, abandon),
				() => jobs.close(),
			]),
	};
}

async function startOperators(ctx: DeliveryContext): Promise<void> {
	const onReceipt = ctx.receiptIntake.add;
	await Promise.all(
		ctx.dispatchers.map(({ operator }) => operator.start({ onReceipt })),
	);
}

/** Waits until every answer and receipt is recorded, as long as the database lets it. */
async function landed(
	ctx: DeliveryContext,
	abandon: AbortController,
): Promise<void> {
	const timer = setTimeout(() => abandon.abort(), LANDING_MS);
	try {
		await Promise.all(ctx.dispatchers.map((dispatcher) => dispatcher.landed()));
		await ctx.receiptIntake.drain();
	} finally {
		clearTimeout(timer);
	}
}
