import { connectDatabase, type Db } from "@airtower/platform/database/database";
import { migrateAtStart } from "@airtower/platform/database/migrate-at-start";
import { openServiceBus } from "@airtower/platform/events/create-event-bus";
import type { EventBus } from "@airtower/platform/events/event-bus";
import { startRelay } from "@airtower/platform/events/relay";
import { createTokenSigner } from "@airtower/platform/rpc/caller-token";
import { createRpcClient } from "@airtower/platform/rpc/client";
import { type RpcTls, readRpcTls } from "@airtower/platform/rpc/tls";
import { closeAll } from "@airtower/platform/runtime/lifecycle";
import { createLogger, type Logger } from "@airtower/platform/runtime/log";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { startServers } from "@airtower/platform/runtime/service-servers";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import type { AccountsConfig } from "./config.ts";
import { type AccountsContext, createContext } from "./context.ts";
import { startJobs } from "./jobs/index.ts";
import { accountsMigrations } from "./migrations.ts";
import { routes, services } from "./rpc/index.ts";

/** Name of the service in tokens, logs and the database. */
const SERVICE = "accounts";

export interface AccountsOverrides {
	readonly log?: Logger;
	/** Used and not closed. */
	readonly bus?: EventBus;
}

export interface RunningAccounts {
	readonly rpcPort: number;
	readonly opsPort: number;
	/** Finishes the calls under way, then closes everything. */
	close(): Promise<void>;
}

/** Starts the service: tables, bus and relay, jobs, servers, in this order. */
export async function startAccounts(
	config: AccountsConfig,
	overrides: AccountsOverrides = {},
): Promise<RunningAccounts> {
	const log =
		overrides.log ??
		createLogger({ service: SERVICE, level: config.LOG_LEVEL });
	const metrics = createMetrics(SERVICE);
	const tls = await readRpcTls(config);
	const sql = openDatabase(config);
	await migrateAtStart(sql, accountsMigrations, log);
	const { bus, close: closeBus } = await openServiceBus(SERVICE, config, {
		log,
		metrics,
		given: overrides.bus,
	});
	const stop = new AbortController();
	const relay = startRelay({ sql, bus, log, metrics, signal: stop.signal });
	const ctx = createContext({
		sql,
		log,
		metrics,
		peppers: config.API_KEY_PEPPERS,
		encryptionKeys: config.ENCRYPTION_KEYS,
		messaging: openMessaging(config, tls),
		reconcileAfterMs: config.RECONCILE_AFTER_S * 1_000,
		pokeRelay: relay.wake,
	});
	const jobs = startJobs(ctx);
	const { rpc, ops } = await startServers(SERVICE, config, {
		sql,
		log,
		metrics,
		tls,
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
				() => endRelay(stop, relay.done),
				closeBus,
				() => ops.close(),
				() => sql.end({ timeout: 1 }),
			]),
	};
}

async function endRelay(
	stop: AbortController,
	done: Promise<void>,
): Promise<void> {
	stop.abort();
	await done;
}

function openDatabase(config: AccountsConfig): Db {
	return connectDatabase({
		url: config.DATABASE_URL,
		schema: config.DATABASE_SCHEMA,
		poolSize: config.DATABASE_POOL_SIZE,
		applicationName: SERVICE,
	});
}

function openMessaging(
	config: AccountsConfig,
	tls: RpcTls | undefined,
): AccountsContext["messaging"] {
	return createRpcClient({
		service: MessagingService,
		baseUrl: config.MESSAGING_RPC_URL,
		signer: createTokenSigner({
			ring: config.CALLER_TOKEN_KEYS,
			issuer: SERVICE,
		}),
		audience: "messaging",
		tls,
	});
}
