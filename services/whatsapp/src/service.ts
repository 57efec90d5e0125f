import { connectDatabase, type Db } from "@airtower/platform/database/database";
import { migrateAtStart } from "@airtower/platform/database/migrate-at-start";
import { openServiceBus } from "@airtower/platform/events/create-event-bus";
import type { EventBus } from "@airtower/platform/events/event-bus";
import { readRpcTls } from "@airtower/platform/rpc/tls";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import { createLogger, type Logger } from "@airtower/platform/runtime/log";
import {
	createMetrics,
	type Metrics,
} from "@airtower/platform/runtime/metrics";
import { startServers } from "@airtower/platform/runtime/service-servers";
import { createLease, type Lease } from "@airtower/platform/work/lease";
import type { Config } from "./config.ts";
import {
	type Context,
	type ContextOverrides,
	createContext,
	type Limits,
} from "./context.ts";
import { LEASE_MS } from "./dispatching/take-over.ts";
import { startJobs } from "./jobs/index.ts";
import { migrations } from "./migrations.ts";
import { createCloudApi } from "./provider/cloud-api.ts";
import { routes, services } from "./rpc/index.ts";

const NAME = "whatsapp";
/** Attempts in flight in one process. */
const MAX_IN_FLIGHT = 500;

export interface WhatsappOverrides extends ContextOverrides {
	readonly log?: Logger;
	/** Used and not closed. */
	readonly bus?: EventBus;
}

export interface RunningWhatsapp {
	readonly rpcPort: number;
	readonly opsPort: number;
	/** Stops taking work, waits for running submits, closes everything. */
	close(): Promise<void>;
}

/** Starts the whatsapp service: database, bus, jobs and servers. */
export async function startWhatsapp(
	config: Config,
	overrides: WhatsappOverrides = {},
): Promise<RunningWhatsapp> {
	const log =
		overrides.log ?? createLogger({ service: NAME, level: config.LOG_LEVEL });
	const metrics = createMetrics(NAME);
	const sql = connectDatabase({
		url: config.DATABASE_URL,
		schema: config.DATABASE_SCHEMA,
		poolSize: config.DATABASE_POOL_SIZE,
		applicationName: NAME,
	});
	await migrateAtStart(sql, migrations, log);
	const { bus, close: closeBus } = await openServiceBus(NAME, config, {
		log,
		metrics,
		given: overrides.bus,
	});
	const stop = new AbortController();
	const lease = await createLease(sql, LEASE_MS, log);
	const parts = { sql, log, metrics, lease };
	const ctx = contextOf(config, parts, stop.signal, overrides);
	const jobs = startJobs(ctx, bus, metrics);
	const { rpc, ops } = await startServers(NAME, config, {
		sql,
		log,
		metrics,
		tls: await readRpcTls(config),
		routes: routes(ctx),
		services,
	});
	return {
		rpcPort: rpc.port,
		opsPort: ops.port,
		close: () =>
			closeAll([
				() => rpc.close(),
				() => jobs.close(),
				async () => stop.abort(),
				() => ctx.provider.close(),
				closeBus,
				() => sql.end({ timeout: 5 }),
				() => ops.close(),
			]),
	};
}

function contextOf(
	config: Config,
	parts: { sql: Db; log: Logger; metrics: Metrics; lease: Lease },
	signal: AbortSignal,
	overrides: ContextOverrides,
): Context {
	return createContext(
		{
			...parts,
			signal,
			ring: config.ENCRYPTION_KEYS,
			appSecret: config.WHATSAPP_APP_SECRET,
			verifyToken: config.WHATSAPP_VERIFY_TOKEN,
			provider: createCloudApi({
				baseUrl: config.WHATSAPP_API_BASE_URL,
				version: config.WHATSAPP_API_VERSION,
				timeoutMs: config.WHATSAPP_API_TIMEOUT_MS,
				log: parts.log,
			}),
			limits: limitsOf(config),
		},
		overrides,
	);
}

function limitsOf(config: Config): Limits {
	return {
		validityMs: config.MESSAGE_VALIDITY_S * 1_000,
		unknownWaitMs: config.UNKNOWN_WAIT_S * 1_000,
		ratePerSecond: config.WHATSAPP_RATE_PER_NUMBER,
		maxInFlight: MAX_IN_FLIGHT,
	};
}
