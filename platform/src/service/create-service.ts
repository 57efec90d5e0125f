import { setTimeout as delay } from "node:timers/promises";
import { createDatabaseMeter } from "../database/measure-database.ts";
import {
	awaitMigrations,
	migrateAtStart,
} from "../database/migration/migrate-at-start.ts";
import type { MigrationSet } from "../database/migration/migration-set.ts";
import type { CommonConfig } from "../runtime/config.ts";
import { createJobs } from "../runtime/jobs.ts";
import { closeAll, closeTogether } from "../runtime/lifecycle.ts";
import { startOpsServer } from "../runtime/ops-server.ts";
import {
	type BaseOptions,
	createBase,
	type ServiceBase,
} from "./service-base.ts";

const MEASURE_EVERY_MS = 15_000;

interface ServiceOptions<Config extends CommonConfig>
	extends BaseOptions<Config> {
	readonly migrations: readonly MigrationSet[];
	readonly build: (base: ServiceBase<Config>) => Promise<ServiceBody>;
}

export interface RunningService {
	readonly port: number;
	readonly opsPort: number;
	close(): Promise<void>;
}

/**
 * Starts a service, which says that it is ready until it stops, also while its database is away: that is shared, so
 * all processes would be taken out of rotation at once.
 * @throws ConfigError for missing addresses and files
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
		const { server, stop, stopBeside } = await options.build(base);
		const closeServer = async () => {
			await delay(config.DRAIN_WAIT_S * 1_000);
			await server.close();
		};
		const ops = await startOpsServer({
			host: config.OPS_HOST,
			port: config.OPS_PORT,
			metrics,
			isReady,
		});
		const measuring = createJobs(log);
		measuring.start({
			name: "measure-database",
			intervalMs: MEASURE_EVERY_MS,
			runOnce: createDatabaseMeter(sql, metrics, config.DATABASE_POOL_SIZE),
		});
		return {
			port: server.port,
			opsPort: ops.port,
			close: () => {
				isStopping = true;
				const serving = stopBeside ? [closeServer, stopBeside] : [closeServer];
				const beside = () => closeTogether(serving);
				return closeAll([
					beside,
					...stop,
					closeBus,
					measuring.close,
					ops.close,
					end,
					stopTracing,
				]);
			},
		};
	} catch (error) {
		await closeAll([closeBus, end, stopTracing]);
		throw error;
	}
}

export interface Server {
	readonly port: number;
	close(): Promise<void>;
}

interface ServiceBody {
	/** Opened last: `serveRpc`, or a server of the service's own. */
	readonly server: Server;
	/** Closed first, while calls are still served: what no call needs and what is slow to stop. */
	readonly stopBeside?: () => Promise<unknown>;
	/** In this order, after both. */
	readonly stop: readonly (() => Promise<unknown>)[];
}
