import { join } from "node:path";
import { startKafka } from "../kafka.ts";
import { startPostgres } from "../postgres.ts";
import { type Assembly, reportReady } from "./assembly.ts";
import { type Databases, ensureDatabase, ensureRoles } from "./databases.ts";
import { StartError } from "./system.ts";
import { stopOrForce } from "./teardown.ts";

/** The databases of all services, on the embedded PostgreSQL or on the server of `databaseUrl`. */
export async function startDatabases(assembly: Assembly): Promise<Databases> {
	const { databaseUrl } = assembly.options;
	const { adminUrl, socketDir } =
		databaseUrl === undefined
			? await startEmbeddedPostgres(assembly)
			: { adminUrl: databaseUrl, socketDir: undefined };
	const databases = await ensureRoles(adminUrl, assembly.secrets, socketDir);
	reportReady(assembly, "PostgreSQL");
	return databases;
}

async function startEmbeddedPostgres(assembly: Assembly) {
	const server = await startPostgres({
		dataDir: join(assembly.dataDir, "postgres"),
		password: assembly.secrets.postgresPassword,
	}).catch(refuse);
	assembly.servers.set("postgres", () => server.pid);
	assembly.stoppables.push({
		stage: "storage",
		stop: (graceMs) =>
			stopOrForce(server.stop(), graceMs, () =>
				assembly.state.kill("postgres"),
			),
	});
	await assembly.state.record("postgres", server.pid);
	const adminUrl = await ensureDatabase(server.url);
	return { adminUrl, socketDir: server.socketDir };
}

/** The brokers in use: running ones, our own, or undefined for the Postgres bus. */
export async function startEventBus(
	assembly: Assembly,
): Promise<readonly string[] | undefined> {
	const { kafka } = assembly.options;
	if (kafka === undefined || kafka === false) return undefined;
	const brokers = kafka === true ? await startBroker(assembly) : kafka;
	reportReady(assembly, "Kafka");
	return brokers;
}

async function startBroker(assembly: Assembly): Promise<readonly string[]> {
	const broker = await startKafka({
		dataDir: join(assembly.dataDir, "kafka"),
		optimized: assembly.options.optimizedKafka ?? false,
	}).catch(refuse);
	assembly.servers.set("kafka", () => broker.pid);
	assembly.stoppables.push({
		stage: "storage",
		stop: (graceMs) => stopOrForce(broker.stop(), graceMs, () => broker.kill()),
	});
	await assembly.state.record("kafka", broker.pid);
	return broker.brokers;
}

/** The starters of PostgreSQL and Kafka already explain themselves in a sentence. */
function refuse(error: unknown): never {
	throw new StartError(error instanceof Error ? error.message : String(error));
}
