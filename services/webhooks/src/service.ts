import { connectDatabase } from "@airtower/platform/database/database";
import { migrateAtStart } from "@airtower/platform/database/migrate-at-start";
import { openServiceBus } from "@airtower/platform/events/create-event-bus";
import { deadLetterRoute } from "@airtower/platform/events/dead-letter-service";
import type { EventBus } from "@airtower/platform/events/event-bus";
import { readRpcTls } from "@airtower/platform/rpc/tls";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import { createLogger, type Logger } from "@airtower/platform/runtime/log";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { startServers } from "@airtower/platform/runtime/service-servers";
import { createLease, endLease } from "@airtower/platform/work/lease";
import { DeadLetterService } from "@airtower/proto/ops/v1/dead_letters";
import type { Config } from "./config.ts";
import {
	applyOutcomes,
	GROUP,
	startOutcomeConsumer,
} from "./consumers/message-outcomes.ts";
import {
	type Context,
	type ContextOverrides,
	type ContextSettings,
	createContext,
} from "./context.ts";
import { LEASE_MS, startJobs } from "./jobs/index.ts";
import { freeDeliveries } from "./jobs/rescue-deliveries.ts";
import { migrations } from "./migrations.ts";
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
	config: Config,
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
	});
	await migrateAtStart(sql, migrations, log);
	const lease = await createLease(sql, LEASE_MS, log);
	const ctx = toContext(
		config,
		{ sql, log, metrics, lease, wakeSender: () => jobs.wakeSender() },
		overrides,
	);
	const { bus, close: closeBus } = await openServiceBus(SERVICE, config, {
		log,
		metrics,
		given: overrides.bus,
	});
	const jobs = startJobs(ctx);
	const consumer = startOutcomeConsumer(ctx, bus, metrics);
	const { rpc, ops } = await startServers(SERVICE, config, {
		sql,
		log,
		metrics,
		tls: await readRpcTls(config),
		routes: (router) => {
			routes(ctx)(router);
			deadLetterRoute(sql, [
				{ group: GROUP, apply: applyOutcomes(ctx) },
			]).register(router);
		},
		services: [...services, DeadLetterService],
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
				() => ctx.attempts.settled(),
				() => endLease(sql, lease, freeDeliveries),
				closeBus,
				() => ops.close(),
				() => sql.end({ timeout: 1 }),
			]),
	};
}

function toContext(
	config: Config,
	parts: Pick<
		ContextSettings,
		"sql" | "log" | "metrics" | "lease" | "wakeSender"
	>,
	overrides: ContextOverrides,
): Context {
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
