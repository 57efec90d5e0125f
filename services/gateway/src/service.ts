import { lookup } from "node:dns/promises";
import { connectDatabase, type Db } from "@airtower/platform/database/database";
import { migrateAtStart } from "@airtower/platform/database/migrate-at-start";
import { openServiceBus } from "@airtower/platform/events/create-event-bus";
import type { EventBus } from "@airtower/platform/events/event-bus";
import { createTokenSigner } from "@airtower/platform/rpc/caller-token";
import { readRpcTls } from "@airtower/platform/rpc/tls";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import { createLogger, type Logger } from "@airtower/platform/runtime/log";
import {
	createMetrics,
	type Metrics,
} from "@airtower/platform/runtime/metrics";
import { startOpsServer } from "@airtower/platform/runtime/ops-server";
import { buildApp } from "./app.ts";
import { createClients } from "./clients.ts";
import type { Config } from "./config.ts";
import { startAccountChanges } from "./consumers/account-changes.ts";
import { type Context, createContext } from "./context.ts";
import { startJobs } from "./jobs/index.ts";
import { migrations } from "./migrations.ts";
import { drain } from "./plugins/drain.ts";
import type { App } from "./routes/routes.ts";

/** Name of the service, and of its schema. */
const SERVICE = "gateway";

/** The test seam. */
export interface GatewayOverrides {
	readonly schema?: string;
	readonly log?: Logger;
	readonly nowMs?: () => number;
	/** See ClientOptions. */
	readonly authenticateTimeoutMs?: number;
	/** Used and not closed. */
	readonly bus?: EventBus;
}

export interface RunningGateway {
	/** Port of the public API. */
	readonly port: number;
	readonly opsPort: number;
	/** Lets running requests finish, for up to 10 s. */
	close(): Promise<void>;
}

/** Starts the gateway: tables, news of revoked keys, jobs, HTTP, in this order. */
export async function startGateway(
	config: Config,
	overrides: GatewayOverrides = {},
): Promise<RunningGateway> {
	const log =
		overrides.log ??
		createLogger({ service: SERVICE, level: config.LOG_LEVEL });
	const metrics = createMetrics(SERVICE);
	const sql = openDatabase(config, overrides.schema ?? SERVICE);
	await migrateAtStart(sql, migrations, log);
	const ctx = await contextOf(config, { sql, log, metrics }, overrides);
	const { bus, close: closeBus } = await openServiceBus(SERVICE, config, {
		log,
		metrics,
		given: overrides.bus,
	});
	const changes = await startAccountChanges(bus, ctx.keys, log);
	const jobs = startJobs(ctx);
	const app = await buildApp(ctx);
	const port = await listen(app, config);
	const ops = await startOpsServer({
		host: config.OPS_HOST,
		port: config.OPS_PORT,
		metrics,
		isReady: () => Promise.resolve(!ctx.isDraining),
	});
	return {
		port,
		opsPort: ops.port,
		close: () => {
			ctx.isDraining = true;
			return closeAll([
				() => drain(app),
				() => ctx.sms.drain(),
				() => ctx.whatsapp.drain(),
				() => jobs.close(),
				() => changes.close(),
				() => ctx.limiter.close(),
				closeBus,
				() => ops.close(),
				() => sql.end({ timeout: 1 }),
			]);
		},
	};
}

async function contextOf(
	config: Config,
	parts: { sql: Db; log: Logger; metrics: Metrics },
	overrides: GatewayOverrides,
): Promise<Context> {
	const clients = createClients({
		urls: {
			accounts: config.ACCOUNTS_RPC_URL,
			messaging: config.MESSAGING_RPC_URL,
			whatsapp: config.WHATSAPP_RPC_URL,
			campaigns: config.CAMPAIGNS_RPC_URL,
			webhooks: config.WEBHOOKS_RPC_URL,
		},
		signer: createTokenSigner({
			ring: config.CALLER_TOKEN_KEYS,
			issuer: SERVICE,
		}),
		tls: await readRpcTls(config),
		authenticateTimeoutMs: overrides.authenticateTimeoutMs,
	});
	const nowMs = overrides.nowMs ?? Date.now;
	return createContext(config, { ...parts, clients, nowMs });
}

/** Fastify would listen on all addresses of "localhost", on all but one with servers that lack the listeners of ours. */
async function listen(app: App, config: Config): Promise<number> {
	const { address: host } = await lookup(config.HTTP_HOST);
	await app.listen({ host, port: config.HTTP_PORT });
	const address = app.server.address();
	if (address === null || typeof address === "string")
		throw new Error("the HTTP server has no port");
	return address.port;
}

function openDatabase(config: Config, schema: string): Db {
	return connectDatabase({
		url: config.DATABASE_URL,
		schema,
		poolSize: config.DATABASE_POOL_SIZE,
		applicationName: SERVICE,
	});
}
