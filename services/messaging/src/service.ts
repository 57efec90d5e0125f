import type { EventBus } from "@airtower/platform/events/event-bus";
import { startRelay } from "@airtower/platform/events/relay";
import { privacyRoute } from "@airtower/platform/privacy/privacy-service";
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
import { createDispatcher } from "./dispatching/dispatcher.ts";
import { measureRoutes } from "./dispatching/measure-routes.ts";
import { createSettler } from "./dispatching/settler.ts";
import {
	createWorkNotifier,
	listenForWork,
} from "./dispatching/work-notice.ts";
import { startJobs, startMeasuring, startSharing } from "./jobs/index.ts";
import { keepPartitions } from "./jobs/keep-partitions.ts";
import { migrations } from "./migrations.ts";
import type { Operator } from "./operators/operator.ts";
import { parseSmppRoute } from "./operators/route/smpp-route.ts";
import { createSmppOperator } from "./operators/smpp-operator.ts";
import { createReceiptIntake } from "./receipts/receive-receipts.ts";
import { rpcRoutes } from "./rpc/index.ts";
import { insertBindSlots } from "./store/bind-slots.ts";
import type { FinishedMessage } from "./store/message-updates.ts";
import { erasableTables } from "./store/personal-data.ts";
import { openRouteSeries } from "./telemetry.ts";

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
	const smppRoute = parseSmppRoute(config.SMPP_ROUTE_URL);
	return createService({
		name: "messaging",
		config,
		migrations,
		overrides,
		role: config.MESSAGING_ROLE === "all" ? "messaging-delivery" : "messaging",
		build: async (base) => {
			const { sql, log, metrics } = base;
			const operators = overrides.operators ?? [
				createSmppOperator(smppRoute, log),
			];
			const schema = config.DATABASE_SCHEMA;
			const common = createCommonContext({
				sql,
				log,
				metrics,
				limits: toLimits(config),
				clock: overrides.clock,
			});
			await keepPartitions(common);
			const measuring = startMeasuring(common);
			const delivery =
				config.MESSAGING_ROLE === "all"
					? await startDelivery(common, {
							operators,
							metrics,
							schema,
							bus: await base.openBus(),
							random: overrides.random,
						})
					: undefined;
			const ctx = createContext(common, {
				accounts:
					overrides.accounts ??
					base.client(AccountsService, "accounts", config.ACCOUNTS_RPC_URL),
				route: operators[0].code,
				routes: operators,
				announceWork: delivery?.wake ?? createWorkNotifier(sql, schema, log),
			});
			return {
				server: await serveRpc(base, [
					...rpcRoutes(ctx),
					backlogRoute(ctx.telemetry.unsentAge),
					privacyRoute(sql, erasableTables),
				]),
				...(delivery && { stopBeside: delivery.close }),
				stop: [measuring.close],
			};
		},
	});
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
	readonly operators: readonly Operator[];
	readonly bus: EventBus;
	readonly metrics: Metrics;
	readonly schema: string;
	readonly random?: (() => number) | undefined;
}

interface RunningDelivery {
	wake(): void;
	/** Takes no more work, waits for the operators' responses, records them, then ends the loops. */
	close(): Promise<void>;
}

/** Connections are opened last: a stop does not wait for a start, and would leave what they have sent by then. */
async function startDelivery(
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

interface DeliverySettings {
	readonly operators: readonly Operator[];
	/** Ends the waiting for a database that is away. */
	readonly signal: AbortSignal;
	readonly wakeRelay: () => void;
	readonly random?: (() => number) | undefined;
}

/** Opens the lease under which this process claims; nothing runs yet. */
export async function createDeliveryContext(
	common: CommonContext,
	{ operators, signal, wakeRelay, random = Math.random }: DeliverySettings,
): Promise<DeliveryContext> {
	const { sql, log, limits, telemetry } = common;
	const onFinished = (finished: readonly FinishedMessage[]) => {
		for (const { status } of finished) telemetry.outcomes.inc({ status });
		if (finished.length > 0) wakeRelay();
	};
	for (const { code } of operators) openRouteSeries(telemetry, code);
	const parts = {
		...common,
		random,
		onFinished,
		lease: await createLease(sql, limits.leaseMs, log),
		settler: createSettler({ sql, log, telemetry, signal, onFinished }),
		receiptIntake: createReceiptIntake({ ...common, onFinished }),
	};
	const dispatchers = operators.map((operator) =>
		createDispatcher(parts, operator),
	);
	return { ...parts, dispatchers };
}
