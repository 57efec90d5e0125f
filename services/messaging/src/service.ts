import type { EventBus } from "@airtower/platform/events/event-bus";
import { startRelay } from "@airtower/platform/events/relay";
import { privacyRoute } from "@airtower/platform/privacy/privacy-service";
import { secretsRoute } from "@airtower/platform/resealing/secrets-service";
import type { Clock } from "@airtower/platform/runtime/clock";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import {
	createService,
	type RunningService,
} from "@airtower/platform/service/create-service";
import { serveRpc } from "@airtower/platform/service/serve-rpc";
import type { ServiceOverrides } from "@airtower/platform/service/service-base";
import { backlogRoute } from "@airtower/platform/work/backlog-service";
import { createLease } from "@airtower/platform/work/lease";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import type { Config } from "./config.ts";
import {
	type AccountsClient,
	type CommonContext,
	createCommonContext,
	createContext,
	type DeliveryContext,
} from "./context.ts";
import { measureRoutes } from "./dispatching/measure-routes.ts";
import { createSettler } from "./dispatching/settler.ts";
import {
	createWorkNotifier,
	listenForWork,
} from "./dispatching/work-notice.ts";
import { takingRoutes } from "./domain/routing/route-table.ts";
import {
	startFollowingRoutes,
	startJobs,
	startMeasuring,
	startSharing,
} from "./jobs/index.ts";
import { keepPartitions } from "./jobs/keep-partitions.ts";
import type { RouteTestParts } from "./jobs/test-routes.ts";
import { migrations } from "./migrations.ts";
import { toEgress } from "./operators/http/egress.ts";
import { openOperator } from "./operators/open-operator.ts";
import type { Operator, RouteName } from "./operators/operator.ts";
import type { OperatorRoute } from "./operators/route/operator-route.ts";
import { parseSmppRoute } from "./operators/route/smpp-route.ts";
import { createReceiptIntake } from "./receipts/receive-receipts.ts";
import { openRoutes } from "./routes/open-routes.ts";
import { fixedRoutes, type Routes } from "./routes/routes.ts";
import { openRouting } from "./routes/routing.ts";
import { createRunningRoutes } from "./routes/running-routes.ts";
import { rpcRoutes } from "./rpc/index.ts";
import type { FinishedMessage } from "./store/message-updates.ts";
import { erasableTables } from "./store/personal-data.ts";
import { sealedColumns } from "./store/sealed-columns.ts";

export interface Overrides extends ServiceOverrides {
	readonly clock?: Clock;
	readonly random?: () => number;
	/** The first one takes new messages. */
	readonly operators?: readonly [Operator, ...Operator[]];
	readonly accounts?: AccountsClient;
}

/** When it is closed it takes no more work, waits for the operators' responses and records them. */
export async function startMessaging(
	config: Config,
	overrides: Overrides = {},
): Promise<RunningService> {
	const seed = parseSmppRoute(config.SMPP_ROUTE_URL);
	return createService({
		name: "messaging",
		config,
		migrations,
		overrides,
		role: config.MESSAGING_ROLE === "all" ? "messaging-delivery" : "messaging",
		build: async (base) => {
			const { sql, log, metrics } = base;
			const schema = config.DATABASE_SCHEMA;
			const common = createCommonContext({
				sql,
				log,
				metrics,
				limits: toLimits(config),
				clock: overrides.clock,
			});
			const { ENCRYPTION_KEYS: ring, SMPP_ROUTE_URL: seedUrl } = config;
			const { operators } = overrides;
			const egress = toEgress(config);
			const routes = await openRouting(
				sql,
				operators
					? fixedRoutes(operators.map((one) => ({ ...seed, ...nameOf(one) })))
					: await openRoutes({ sql, log, ring, seedUrl }),
			);
			await keepPartitions(common);
			const measuring = startMeasuring(common);
			const delivery =
				config.MESSAGING_ROLE === "all"
					? await startDelivery(common, {
							routes,
							tests: ring && { ring, egress },
							openRoute: (route) =>
								operators?.find(({ code }) => code === route.code) ??
								openOperator(route, log, egress),
							metrics,
							schema,
							bus: await base.openBus(),
							random: overrides.random,
						})
					: startFollowing(common, routes);
			const ctx = createContext(common, {
				accounts:
					overrides.accounts ??
					base.client(AccountsService, "accounts", config.ACCOUNTS_RPC_URL),
				routes,
				ring,
				receiptIntake: delivery.receiptIntake,
				announceWork: delivery.wake ?? createWorkNotifier(sql, schema, log),
			});
			return {
				server: await serveRpc(
					base,
					[
						...rpcRoutes(ctx),
						backlogRoute(ctx.telemetry.unsentAge),
						privacyRoute(sql, erasableTables),
						secretsRoute(sql, ring, sealedColumns),
					],
					() => takingRoutes(routes.table()).size > 0,
				),
				stopBeside: delivery.close,
				stop: [measuring.close],
			};
		},
	});
}

function nameOf({ code, account }: RouteName): RouteName {
	return { code, account };
}

function countOutcomes(
	{ telemetry }: CommonContext,
	finished: readonly FinishedMessage[],
): void {
	for (const { status } of finished) telemetry.outcomes.inc({ status });
}

/** In a process that does not deliver; it takes receipts that operators call back with. */
function startFollowing(
	common: CommonContext,
	routes: Routes,
): Omit<RunningDelivery, "wake"> & { readonly wake?: undefined } {
	const stop = new AbortController();
	const following = startFollowingRoutes(common, routes, stop.signal);
	const onFinished = (finished: readonly FinishedMessage[]) =>
		countOutcomes(common, finished);
	return {
		receiptIntake: createReceiptIntake({ ...common, onFinished }),
		close: () => {
			stop.abort();
			return following.done;
		},
	};
}

function toLimits(config: Config) {
	return {
		validityMs: config.MESSAGE_VALIDITY_S * 1_000,
		unknownWaitMs: config.UNKNOWN_WAIT_S * 1_000,
		unknownPolicy: config.UNKNOWN_POLICY,
		unknownDeadlineMs: toMs(config.UNKNOWN_DEADLINE_S),
		noReceiptMs: config.NO_RECEIPT_AFTER_S * 1_000,
		leaseMs: config.DISPATCH_LEASE_MS,
		bodyDays: config.BODY_RETENTION_DAYS,
		recordMonths: config.RECORD_RETENTION_MONTHS,
	};
}

function toMs(seconds: number | undefined): number | null {
	return seconds === undefined ? null : seconds * 1_000;
}

/** Longest wait at a graceful stop, ms; the lease covers the rest. */
const LAST_SETTLES_MS = 5_000;

interface DeliveryParts {
	readonly routes: Routes;
	readonly tests: RouteTestParts | undefined;
	readonly openRoute: (route: OperatorRoute) => Operator;
	readonly bus: EventBus;
	readonly metrics: Metrics;
	readonly schema: string;
	readonly random?: (() => number) | undefined;
}

interface RunningDelivery extends Pick<DeliveryContext, "receiptIntake"> {
	wake(): void;
	/** Takes no more work, waits for the operators' responses, records them, then ends the loops. */
	close(): Promise<void>;
}

/** Connections are opened last: a stop does not wait for a start, and would leave what they have sent by then. */
async function startDelivery(
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
	const ctx = await createDeliveryContext(common, {
		signal: abandon.signal,
		wakeRelay: relay.wake,
		random,
	});
	measureRoutes(metrics, ctx.dispatchers);
	const jobs = startJobs(ctx, tests);
	const running = createRunningRoutes(ctx, openRoute);
	const endListening = await listenForWork(sql, schema, running.wake);
	await running.follow(routes.current());
	const { signal } = stopRoutes;
	const following = startFollowingRoutes(ctx, routes, signal, running.follow);
	const sharing = startSharing(ctx, signal);
	return {
		receiptIntake: ctx.receiptIntake,
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

interface DeliverySettings {
	/** Ends the waiting for a database that is away. */
	readonly signal: AbortSignal;
	readonly wakeRelay: () => void;
	readonly random?: (() => number) | undefined;
}

/** Opens the lease under which this process claims; nothing runs yet, and no route. */
export async function createDeliveryContext(
	common: CommonContext,
	{ signal, wakeRelay, random = Math.random }: DeliverySettings,
): Promise<DeliveryContext> {
	const { sql, log, limits, telemetry } = common;
	const onFinished = (finished: readonly FinishedMessage[]) => {
		countOutcomes(common, finished);
		if (finished.length > 0) wakeRelay();
	};
	return {
		...common,
		random,
		onFinished,
		lease: await createLease(sql, limits.leaseMs, log),
		settler: createSettler({ sql, log, telemetry, signal, onFinished }),
		receiptIntake: createReceiptIntake({ ...common, onFinished }),
		dispatchers: [],
	};
}
