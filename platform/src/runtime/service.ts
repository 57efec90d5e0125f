import { setTimeout as delay } from "node:timers/promises";
import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { auditRoute } from "../audit/audit-service.ts";
import { connectDatabase, type Db } from "../database/database.ts";
import { createDatabaseMeter } from "../database/measure-database.ts";
import type { MigrationSet } from "../database/migrate.ts";
import {
	awaitMigrations,
	migrateAtStart,
} from "../database/migrate-at-start.ts";
import { createStoreProbe } from "../database/store-probe.ts";
import { createEventBus } from "../events/create-event-bus.ts";
import type { EventBus } from "../events/event-bus.ts";
import { createTokenSigner } from "../identity/caller-token.ts";
import { readSigningKey } from "../identity/signing-key.ts";
import {
	openTrustedKeys,
	type TrustedKeysFile,
} from "../identity/trusted-keys.ts";
import { createRpcClient } from "../rpc/client.ts";
import type { RpcRoute } from "../rpc/route.ts";
import { startRpcServer } from "../rpc/server.ts";
import { readRpcTls, type TlsSource } from "../rpc/tls.ts";
import { startTracing } from "../tracing/start-tracing.ts";
import type { CommonConfig, RpcConfig } from "./config.ts";
import { createJobs } from "./jobs.ts";
import { closeAll, closeTogether } from "./lifecycle.ts";
import { createLogger, type Logger } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { startOpsServer } from "./ops-server.ts";
import { measureProcess } from "./process-metrics.ts";

const MEASURE_EVERY_MS = 15_000;

export interface ServiceOverrides {
	readonly log?: Logger;
	/** Used and not closed. */
	readonly bus?: EventBus;
}

export interface ServiceOptions<Config extends CommonConfig> {
	readonly name: string;
	readonly config: Config;
	readonly migrations: readonly MigrationSet[];
	readonly overrides?: ServiceOverrides;
	readonly build: (base: ServiceBase<Config>) => Promise<ServiceBody>;
}

export interface ServiceBase<Config extends CommonConfig> {
	readonly name: string;
	readonly config: Config;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly sql: Db;
	readonly tls: TlsSource | undefined;
	readonly trustedKeys: TrustedKeysFile;
	readonly isReady: () => Promise<boolean>;
	openBus(): Promise<EventBus>;
	client<S extends DescService>(
		service: S,
		audience: string,
		baseUrl: string,
		timeoutMs?: number,
	): Client<S>;
}

export interface Front {
	readonly port: number;
	close(): Promise<void>;
}

export interface ServiceBody {
	/** Opened last: {@link serveRpc}, or a server of the service's own. */
	readonly front: Front;
	/** Closed first, while calls are still served: what no call needs and what is slow to stop. */
	readonly stopBeside?: () => Promise<unknown>;
	/** In this order, after both. */
	readonly stop: readonly (() => Promise<unknown>)[];
}

export interface RunningService {
	readonly port: number;
	readonly opsPort: number;
	close(): Promise<void>;
}

/**
 * Ready until it stops: a database that all share must not take every process out of rotation.
 * Throws ConfigError for missing addresses and files.
 */
export async function createService<Config extends CommonConfig>(
	options: ServiceOptions<Config>,
): Promise<RunningService> {
	const { config, migrations } = options;
	let isStopping = false;
	const { base, stopTracing, closeBus } = await createBase(
		options,
		() => isStopping,
	);
	const { sql, log, metrics, isReady, trustedKeys } = base;
	const end = () =>
		closeAll([trustedKeys.close, () => sql.end({ timeout: 1 })]);
	try {
		const migrated =
			config.MIGRATIONS === "at_start" ? migrateAtStart : awaitMigrations;
		await migrated(sql, migrations, log);
		const { front, stop, stopBeside } = await options.build(base);
		const closeFront = async () => {
			await delay(config.DRAIN_WAIT_S * 1_000);
			await front.close();
		};
		const ops = await startOpsServer({
			host: config.OPS_HOST,
			port: config.OPS_PORT,
			...{ metrics, isReady },
		});
		const measuring = createJobs(log);
		measuring.start({
			name: "measure-database",
			intervalMs: MEASURE_EVERY_MS,
			runOnce: createDatabaseMeter(sql, metrics, config.DATABASE_POOL_SIZE),
		});
		return {
			port: front.port,
			opsPort: ops.port,
			close: () => {
				isStopping = true;
				const serving = stopBeside ? [closeFront, stopBeside] : [closeFront];
				const beside = () => closeTogether(serving);
				return closeAll([
					...[beside, ...stop, closeBus],
					...[measuring.close, ops.close, end, stopTracing],
				]);
			},
		};
	} catch (error) {
		await closeAll([closeBus, end, stopTracing]);
		throw error;
	}
}

/** Serves RPCs with health, reflection and the audit, which the schema has; call it once all else is in place. */
export async function serveRpc(
	base: ServiceBase<CommonConfig & RpcConfig>,
	routes: readonly RpcRoute[],
): Promise<Front> {
	const { name, config, log, metrics, tls, isReady, sql, trustedKeys } = base;
	return startRpcServer({
		host: config.RPC_HOST,
		port: config.RPC_PORT,
		audience: name,
		trustedKeys: trustedKeys.current,
		isHealthy: isReady,
		canStore: createStoreProbe(sql),
		auditDatabase: sql,
		...{ log, metrics, tls },
		routes: [...routes, auditRoute(sql)],
	});
}

async function createBase<Config extends CommonConfig>(
	options: ServiceOptions<Config>,
	isStopping: () => boolean,
) {
	const { name, config, overrides = {} } = options;
	const log =
		overrides.log ?? createLogger({ service: name, level: config.LOG_LEVEL });
	const metrics = createMetrics(name);
	measureProcess(metrics);
	const stopTracing = startTracing(name, config, log);
	const tls = readRpcTls(config);
	const { signer, trustedKeys } = await openIdentity(name, config, log);
	const sql = connectDatabase({
		url: config.DATABASE_URL,
		schema: config.DATABASE_SCHEMA,
		poolSize: config.DATABASE_POOL_SIZE,
		applicationName: name,
	});
	let bus: Promise<EventBus> | undefined;
	const base: ServiceBase<Config> = {
		...{ name, config, log, metrics, sql, tls, trustedKeys },
		isReady: async () => !isStopping(),
		openBus: async () => {
			if (overrides.bus !== undefined) return overrides.bus;
			bus ??= createEventBus({
				kind: config.EVENT_BUS,
				brokers: config.KAFKA_BROKERS,
				access: config,
				databaseUrl: config.BUS_DATABASE_URL,
				...{ clientId: name, log, metrics },
			});
			return bus;
		},
		client: (service, audience, baseUrl, timeoutMs) =>
			createRpcClient({
				...{ service, audience, baseUrl, signer, tls },
				...(timeoutMs !== undefined && { timeoutMs }),
			}),
	};
	const closeBus = async () => (await bus)?.close();
	return { base, stopTracing, closeBus };
}

async function openIdentity(name: string, config: CommonConfig, log: Logger) {
	const { IDENTITY_KEY_FILE, TRUSTED_KEYS_FILE } = config;
	const key = await readSigningKey(
		"IDENTITY_KEY_FILE",
		IDENTITY_KEY_FILE,
		name,
	);
	const trustedKeys = await openTrustedKeys(TRUSTED_KEYS_FILE, key, log);
	return { signer: createTokenSigner({ key }), trustedKeys };
}
