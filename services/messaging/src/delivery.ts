import { startConsumer } from "@airtower/platform/events/consumer";
import type { EventBus } from "@airtower/platform/events/event-bus";
import { startRelay } from "@airtower/platform/events/outbox";
import { pendingSubscription } from "@airtower/platform/events/pending-subscription";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import { createLease } from "@airtower/platform/work/lease";
import { consumerGroups } from "./consumers/index.ts";
import type { CommonContext, DeliveryContext } from "./context.ts";
import { measureRoutes } from "./dispatching/measure-routes.ts";
import { createSettler } from "./dispatching/settler.ts";
import {
	createClaims,
	createDueLists,
} from "./dispatching/shared-statements.ts";
import { listenForWork } from "./dispatching/work-notice.ts";
import { createInboundIntake } from "./inbound/receive-inbound.ts";
import { startFollowingRoutes, startJobs, startSharing } from "./jobs/index.ts";
import type { RouteTestParts } from "./jobs/routes/test-routes.ts";
import type { Operator } from "./operators/operator.ts";
import type { OperatorRoute } from "./operators/route/operator-route.ts";
import { createReceiptIntake } from "./receipts/receive-receipts.ts";
import type { Routing } from "./routes/routing.ts";
import { createRunningRoutes } from "./routes/running-routes.ts";
import type { FinishedMessage } from "./store/message-updates.ts";
import { createSeriesEnd } from "./telemetry.ts";

/** Longest wait at a graceful stop, ms; the lease covers the rest. */
const LAST_SETTLES_MS = 5_000;

interface DeliveryParts {
	readonly routes: Routing;
	readonly tests: RouteTestParts | undefined;
	readonly openRoute: (route: OperatorRoute) => Operator;
	readonly bus: EventBus;
	readonly metrics: Metrics;
	readonly schema: string;
	readonly random?: (() => number) | undefined;
}

interface RunningDelivery
	extends Pick<DeliveryContext, "receiptIntake" | "inboundIntake"> {
	wake(): void;
	/** Takes no more work, waits for the operators' responses, records them, then ends the loops. */
	close(): Promise<void>;
}

/** Connections are opened last: a stop does not wait for a start, and would leave what they have sent by then. */
export async function startDelivery(
	common: CommonContext,
	{ routes, tests, openRoute, bus, metrics, schema, random }: DeliveryParts,
): Promise<RunningDelivery> {
	const { sql, log } = common;
	const abandon = new AbortController();
	const stopRelay = new AbortController();
	const stopRoutes = new AbortController();
	const relay = startRelay({
		sql,
		log,
		bus,
		metrics,
		signal: stopRelay.signal,
	});
	const consumers = consumerGroups.map((group) =>
		pendingSubscription(
			startConsumer({ ...group, sql, bus, log, metrics }),
			log,
		),
	);
	const ctx = await createDeliveryContext(common, {
		signal: abandon.signal,
		wakeRelay: relay.wake,
		wakeDispatch: () => running.wake(),
		routes,
		random,
	});
	measureRoutes(metrics, ctx);
	const running = createRunningRoutes(ctx, openRoute);
	const jobs = startJobs(ctx, tests);
	const endListening = await listenForWork(sql, schema, running.wake);
	await running.follow(routes.current());
	const { signal } = stopRoutes;
	const following = startFollowingRoutes(ctx, routes, signal, running.follow);
	const sharing = startSharing(ctx, signal);
	return {
		receiptIntake: ctx.receiptIntake,
		inboundIntake: ctx.inboundIntake,
		wake: running.wake,
		close: () =>
			closeAll([
				endListening,
				() => {
					stopRoutes.abort();
					return Promise.all([following.done, sharing.done]);
				},
				running.stopDispatch,
				running.closeOperators,
				() => settleLast(ctx, abandon),
				...consumers.map(({ close }) => close),
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
		await ctx.inboundIntake.drain();
	} finally {
		clearTimeout(timer);
	}
}

interface DeliverySettings {
	/** Ends the waiting for a database that is away. */
	readonly signal: AbortSignal;
	readonly wakeRelay: () => void;
	readonly wakeDispatch: () => void;
	readonly routes: Routing;
	readonly random?: (() => number) | undefined;
}

/** Opens the lease under which this process claims; nothing runs yet, and no route. */
export async function createDeliveryContext(
	common: CommonContext,
	settings: DeliverySettings,
): Promise<DeliveryContext> {
	const { sql, log, limits, telemetry, traffic } = common;
	const { signal, wakeRelay, wakeDispatch, routes } = settings;
	const { random = Math.random } = settings;
	const onFinished = (finished: readonly FinishedMessage[]) => {
		countOutcomes(common, finished);
		if (finished.length > 0) wakeRelay();
	};
	return {
		...common,
		routes,
		random,
		wakeDispatch,
		onFinished,
		lease: await createLease(sql, limits.leaseMs, log),
		dueLists: createDueLists(sql),
		claims: createClaims(sql),
		settler: createSettler({
			sql,
			log,
			telemetry,
			traffic,
			signal,
			onFinished,
			onMoved: wakeDispatch,
		}),
		receiptIntake: createReceiptIntake({ ...common, routes, onFinished }),
		inboundIntake: createInboundIntake({ ...common, onReceived: wakeRelay }),
		onReceived: wakeRelay,
		dispatchers: [],
	};
}

function countOutcomes(
	{ telemetry }: CommonContext,
	finished: readonly FinishedMessage[],
): void {
	for (const { status } of finished) telemetry.outcomes.inc({ status });
}

/** In a process that does not deliver; it takes what operators call back with. */
export function startFollowing(
	common: CommonContext,
	routes: Routing,
): Omit<RunningDelivery, "wake"> & { readonly wake?: undefined } {
	const stop = new AbortController();
	const following = startFollowingRoutes(
		common,
		routes,
		stop.signal,
		createSeriesEnd(common.telemetry),
	);
	const onFinished = (finished: readonly FinishedMessage[]) =>
		countOutcomes(common, finished);
	return {
		receiptIntake: createReceiptIntake({ ...common, routes, onFinished }),
		inboundIntake: createInboundIntake({ ...common, onReceived: () => {} }),
		close: () => {
			stop.abort();
			return following.done;
		},
	};
}
