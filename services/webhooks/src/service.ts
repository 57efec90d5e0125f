import { createEventBus } from "@airtower/platform/create-event-bus";
import type { Db } from "@airtower/platform/database";
import { connectDatabase } from "@airtower/platform/database";
import { deadLetterRoutes } from "@airtower/platform/dead-letter-service";
import type { EventBus } from "@airtower/platform/event-bus";
import { closeAll } from "@airtower/platform/lifecycle";
import { createLogger, type Logger } from "@airtower/platform/log";
import { createMetrics, type Metrics } from "@airtower/platform/metrics";
import { migrate } from "@airtower/platform/migrate";
import { startOpsServer } from "@airtower/platform/ops-server";
import { startRpcServer } from "@airtower/platform/rpc-server";
import { readRpcTls } from "@airtower/platform/rpc-tls";
import { DeadLetterService } from "@airtower/proto/ops/v1/dead_letters";
import type { WebhooksConfig } from "./config.ts";
import {
	createIntake,
	GROUP,
	startOutcomeConsumer,
} from "./consumers/message-outcomes.ts";
import {
	type ContextOverrides,
	createContext,
	type WebhooksContext,
} from "./context.ts";
import { startJobs } from "./jobs/index.ts";
import { webhooksMigrations } from "./migrations.ts";
import { routes, services } from "./rpc/index.ts";

/** Name of the service. */
const SERVICE = "webhooks";

export interface WebhooksOverrides extends ContextOverrides {
	readonly log?: Logger;
	/** Used and not closed. */
	readonly bus?: EventBus;
}

export interface RunningWebhooks {
	readonly rpcPort: number;
	readonly opsPort: number;
	/** Stops taking work, waits for running attempts, closes everything. */
	close(): Promise<void>;
}

/** Starts the service: tables, intake, sender, RPC, in this order. */
export async function startWebhooks(
	config: WebhooksConfig,
	overrides: WebhooksOverrides = {},
): Promise<RunningWebhooks> {
	const log =
		overrides.log ??
		createLogger({ service: SERVICE, level: config.LOG_LEVEL });
	const metrics = createMetrics(SERVICE);
	const sql = connectDatabase({
		url: config.DATABASE_URL,
		schema: config.DATABASE_SCHEMA,
		poolSize: config.DATABASE_POOL_SIZE,
		applicationName: SERVICE,
		plansByIndex: true,
	});
	await migrate(sql, webhooksMigrations);
	const ctx = contextOf(config, { sql, log, metrics }, overrides);
	const bus = overrides.bus ?? (await openBus(config, log, metrics));
	const jobs = startJobs(ctx);
	const consumer = startOutcomeConsumer(ctx, bus, metrics);
	const isReady = async () => (await sql`select 1`).length === 1;
	const rpc = await startRpcServer({
		host: config.RPC_HOST,
		port: config.RPC_PORT,
		audience: SERVICE,
		ring: config.CALLER_TOKEN_KEYS,
		log,
		metrics,
		tls: await readRpcTls(config),
		routes: (router) => {
			routes(ctx)(router);
			deadLetterRoutes(sql, [{ group: GROUP, apply: createIntake(ctx).apply }])(
				router,
			);
		},
		services: [...services, DeadLetterService],
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
				() => consumer.close(),
				() => rpc.close(),
				() => jobs.close(),
				() => ctx.poster.close(),
				() => Promise.all(ctx.flights),
				() => (overrides.bus === undefined ? bus.close() : Promise.resolve()),
				() => ops.close(),
				() => sql.end({ timeout: 1 }),
			]),
	};
}

function openBus(
	config: WebhooksConfig,
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

function contextOf(
	config: WebhooksConfig,
	parts: { sql: Db; log: Logger; metrics: Metrics },
	overrides: ContextOverrides,
): WebhooksContext {
	return createContext(
		{
			...parts,
			ring: config.ENCRYPTION_KEYS,
			urlRules: {
				allowHttp: config.ALLOW_HTTP_WEBHOOKS,
				allowPrivateAddresses: config.ALLOW_PRIVATE_WEBHOOK_ADDRESSES,
			},
			maxInFlight: config.MAX_IN_FLIGHT,
			maxPerEndpoint: config.MAX_IN_FLIGHT_PER_ENDPOINT,
		},
		overrides,
	);
}
