import { connectDatabase } from "@airtower/platform/database/database";
import { migrateAtStart } from "@airtower/platform/database/migrate-at-start";
import { startConsumer } from "@airtower/platform/events/consumer";
import { openServiceBus } from "@airtower/platform/events/create-event-bus";
import { deadLetterRoutes } from "@airtower/platform/events/dead-letter-service";
import { pendingSubscription } from "@airtower/platform/events/pending-subscription";
import { createTokenSigner } from "@airtower/platform/rpc/caller-token";
import { createRpcClient } from "@airtower/platform/rpc/client";
import { readRpcTls } from "@airtower/platform/rpc/tls";
import { systemClock } from "@airtower/platform/runtime/clock";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import { createLogger } from "@airtower/platform/runtime/log";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { startServers } from "@airtower/platform/runtime/service-servers";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { DeadLetterService } from "@airtower/proto/ops/v1/dead_letters";
import type { Config } from "./config.ts";
import { consumerGroups } from "./consumers/index.ts";
import { startJobs } from "./jobs/index.ts";
import { migrations } from "./migrations.ts";
import { routes, services } from "./rpc/index.ts";

const NAME = "campaigns";

export interface RunningCampaigns {
	readonly rpcPort: number;
	readonly opsPort: number;
	close(): Promise<void>;
}

/**
 * Starts the campaigns service: database, bus, jobs, consumers and servers. It does not wait for Kafka, which keeps
 * for a new group what is published before it comes; the bus in PostgreSQL keeps that for known groups only.
 */
export async function startCampaigns(
	config: Config,
): Promise<RunningCampaigns> {
	const log = createLogger({ service: NAME, level: config.LOG_LEVEL });
	const metrics = createMetrics(NAME);
	const sql = connectDatabase({
		url: config.DATABASE_URL,
		schema: config.DATABASE_SCHEMA,
		poolSize: config.DATABASE_POOL_SIZE,
		applicationName: NAME,
	});
	await migrateAtStart(sql, migrations, log);
	const tls = await readRpcTls(config);
	const { bus, close: closeBus } = await openServiceBus(NAME, config, {
		log,
		metrics,
	});
	const messaging = createRpcClient({
		service: MessagingService,
		baseUrl: config.MESSAGING_RPC_URL,
		signer: createTokenSigner({ ring: config.CALLER_TOKEN_KEYS, issuer: NAME }),
		audience: "messaging",
		tls,
	});
	const ctx = { sql, log, clock: systemClock, messaging };
	const jobs = startJobs(ctx);
	const groups = consumerGroups(jobs.wakeCampaigns);
	const consumers = groups.map((group) =>
		pendingSubscription(
			startConsumer({ ...group, sql, bus, log, metrics }),
			log,
		),
	);
	if (config.EVENT_BUS === "postgres")
		await Promise.all(consumers.map(({ inPlace }) => inPlace));
	const { rpc, ops } = await startServers(NAME, config, {
		...{ sql, log, metrics, tls },
		routes: (router) => {
			routes(ctx, jobs.wakeCampaigns)(router);
			deadLetterRoutes(sql, groups)(router);
		},
		services: [...services, DeadLetterService],
	});
	return {
		rpcPort: rpc.port,
		opsPort: ops.port,
		close: () =>
			closeAll([
				rpc.close,
				...consumers.map(({ close }) => close),
				jobs.close,
				closeBus,
				() => sql.end({ timeout: 5 }),
				ops.close,
			]),
	};
}
