import { createTokenSigner } from "@airtower/platform/caller-token";
import { createEventBus } from "@airtower/platform/create-event-bus";
import { connectDatabase } from "@airtower/platform/database";
import type { EventBus } from "@airtower/platform/event-bus";
import { closeAll } from "@airtower/platform/lifecycle";
import { createLogger, type Logger } from "@airtower/platform/log";
import { createMetrics, type Metrics } from "@airtower/platform/metrics";
import { migrate } from "@airtower/platform/migrate";
import { startOpsServer } from "@airtower/platform/ops-server";
import { createRpcClient } from "@airtower/platform/rpc-client";
import { startRpcServer } from "@airtower/platform/rpc-server";
import { type RpcTls, readRpcTls } from "@airtower/platform/rpc-tls";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import type { MessagingConfig } from "./config.ts";
import {
	type AccountsClient,
	type ContextOverrides,
	createContext,
	type MessagingContext,
} from "./context.ts";
import { createPartitions } from "./jobs/create-partitions.ts";
import { startJobs } from "./jobs/index.ts";
import { messagingMigrations } from "./migrations.ts";
import type { Operator } from "./operators/operator.ts";
import { createSmppOperator } from "./operators/smpp-operator.ts";
import { parseSmppRoute } from "./operators/smpp-route.ts";
import { messagingServices, routeMessaging } from "./rpc/index.ts";

/** Name of the service among the others. */
const SERVICE = "messaging";
/** Longest wait for the last answers to be recorded at a graceful stop, ms; the lease covers the rest. */
const LANDING_MS = 5_000;

export interface MessagingOverrides extends ContextOverrides {
	readonly operators?: readonly [Operator, ...Operator[]];
	readonly accounts?: AccountsClient;
	readonly log?: Logger;
	/** Used and not closed. */
	readonly bus?: EventBus;
}

export interface RunningMessaging {
	readonly rpcPort: number;
	readonly opsPort: number;
	/** Takes no more work, waits for the operators' answers, records them, then closes everything. */
	close(): Promise<void>;
}

/** Starts the service: tables, loops, operators, RPC, in this order. */
export async function startMessaging(
	config: MessagingConfig,
	overrides: MessagingOverrides = {},
): Promise<RunningMessaging> {
	const log =
		overrides.log ??
		createLogger({ service: SERVICE, level: config.LOG_LEVEL });
	const metrics = createMetrics(SERVICE);
	const tls = await readRpcTls(config);
	const operators = overrides.operators ?? [
		createSmppOperator(parseSmppRoute(config.SMPP_ROUTE_URL), log),
	];
	const sql = connectDatabase({
		url: config.DATABASE_URL,
		schema: config.DATABASE_SCHEMA,
		poolSize: config.DATABASE_POOL_SIZE,
		applicationName: SERVICE,
		plansByIndex: true,
	});
	await migrate(sql, messagingMigrations);
	await createPartitions(sql, new Date());
	const bus = overrides.bus ?? (await openBus(config, log, metrics));
	const abandon = new AbortController();
	const ctx = await createContext(
		{
			sql,
			log,
			metrics,
			operators,
			accounts: overrides.accounts ?? accountsClient(config, tls),
			limits: limitsOf(config),
			signal: abandon.signal,
		},
		overrides,
	);
	const jobs = startJobs(ctx, bus, metrics);
	await startOperators(ctx);
	const isReady = async () => (await sql`select 1`).length === 1;
	const rpc = await startRpcServer({
		host: config.RPC_HOST,
		port: config.RPC_PORT,
		audience: SERVICE,
		ring: config.CALLER_TOKEN_KEYS,
		log,
		metrics,
		tls,
		routes: (router) => routeMessaging(router, ctx),
		services: messagingServices,
		isHealthy: isReady,
	});
	const ops = await startOpsServer({
		host: config.OPS_HOST,
		port: config.OPS_PORT,
		metrics,
		isReady,
	});
	return {
		rpcPort: rpc.port,
		opsPort: ops.port,
		close: () =>
			closeAll([
				() => rpc.close(),
				() => jobs.stopDispatch(),
				() => Promise.all(operators.map((operator) => operator.close())),
				() => landed(ctx, abandon),
				() => jobs.close(),
				() => (overrides.bus === undefined ? bus.close() : Promise.resolve()),
				() => ops.close(),
				() => sql.end({ timeout: 1 }),
			]),
	};
}

function accountsClient(
	config: MessagingConfig,
	tls: RpcTls | undefined,
): AccountsClient {
	return createRpcClient({
		service: AccountsService,
		baseUrl: config.ACCOUNTS_RPC_URL,
		signer: createTokenSigner({
			ring: config.CALLER_TOKEN_KEYS,
			issuer: SERVICE,
		}),
		audience: "accounts",
		tls,
	});
}

function limitsOf(config: MessagingConfig) {
	return {
		validityMs: config.MESSAGE_VALIDITY_S * 1_000,
		unknownWaitMs: config.UNKNOWN_WAIT_MS,
		unknownPolicy: config.UNKNOWN_POLICY,
		leaseMs: config.DISPATCH_LEASE_MS,
	};
}

function openBus(
	config: MessagingConfig,
	log: Logger,
	metrics: Metrics,
): Promise<EventBus> {
	return createEventBus({
		kind: config.EVENT_BUS,
		brokers: config.KAFKA_BROKERS,
		databaseUrl: config.BUS_DATABASE_URL,
		clientId: SERVICE,
		log,
		metrics,
	});
}

async function startOperators(ctx: MessagingContext): Promise<void> {
	const onReceipt = ctx.receiptIntake.add;
	await Promise.all(
		ctx.dispatchers.map(({ operator }) => operator.start({ onReceipt })),
	);
}

/** Waits until every answer and receipt is recorded, as long as the database lets it. */
async function landed(
	ctx: MessagingContext,
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
