import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "../processes/start-error.ts";
import type { SupervisedProcess } from "../processes/supervised-process.ts";
import { createKafka, isKafkaReady } from "../servers/kafka.ts";
import { createPostgres } from "../servers/postgres.ts";
import {
	type Assembly,
	reportReady,
	supervisionFor,
} from "../start/assembly.ts";
import { type Databases, ensureDatabase, ensureRoles } from "./databases.ts";

/** Longest wait for brokers of the user's own, ms. */
const BROKERS_TIMEOUT_MS = 5_000;
const POLL_MS = 250;

/** The databases of all services, on the embedded PostgreSQL or on the server of `databaseUrl`. */
export async function startDatabases(assembly: Assembly): Promise<Databases> {
	const { databaseUrl } = assembly.options;
	const { adminUrl, socketDir } =
		databaseUrl === undefined
			? await startEmbeddedPostgres(assembly)
			: { adminUrl: checkDatabaseUrl(databaseUrl), socketDir: undefined };
	const databases = await ensureRoles(adminUrl, assembly.secrets, socketDir);
	reportReady(assembly, "PostgreSQL");
	return databases;
}

async function startEmbeddedPostgres(assembly: Assembly) {
	const { url, socketDir } = await startServer(
		assembly,
		"postgres",
		createPostgres({
			dataDir: join(assembly.dataDir, "postgres"),
			password: assembly.secrets.postgresPassword,
			supervision: supervisionFor(assembly, "postgres"),
		}),
	);
	return { adminUrl: await ensureDatabase(url), socketDir };
}

function checkDatabaseUrl(text: string): string {
	const url = URL.parse(text);
	const known = url !== null && /^postgres(ql)?:$/.test(url.protocol);
	if (known && url.hostname !== "") return text;
	throw new StartError(
		"DATABASE_URL must be an address like postgres://user:password@host:5432/database.",
	);
}

/** The brokers in use: running ones, our own, or undefined for the Postgres bus. */
export async function startEventBus(
	assembly: Assembly,
): Promise<readonly string[] | undefined> {
	const { kafka } = assembly.options;
	if (kafka === undefined || kafka === false) return undefined;
	const brokers =
		kafka === true
			? await startBroker(assembly)
			: await untilReady(kafka, assembly.callOff.signal);
	reportReady(assembly, "Kafka");
	return brokers;
}

async function startBroker(assembly: Assembly): Promise<readonly string[]> {
	const { brokers } = await startServer(
		assembly,
		"kafka",
		createKafka({
			dataDir: join(assembly.dataDir, "kafka"),
			optimized: assembly.options.optimizedKafka ?? false,
			supervision: supervisionFor(assembly, "kafka"),
		}),
	);
	return brokers;
}

async function untilReady(
	brokers: readonly string[],
	signal: AbortSignal,
): Promise<readonly string[]> {
	const deadline = Date.now() + BROKERS_TIMEOUT_MS;
	while (!(await isKafkaReady(brokers))) {
		signal.throwIfAborted();
		if (Date.now() > deadline)
			throw new StartError(
				`No Kafka responds at ${brokers.join(", ")}; check KAFKA_BROKERS.`,
			);
		await delay(POLL_MS);
	}
	return brokers;
}

/** Starts a server of our own, which from then on is kept running. */
async function startServer<S extends { readonly process: SupervisedProcess }>(
	assembly: Assembly,
	name: "postgres" | "kafka",
	created: Promise<S>,
): Promise<S> {
	try {
		const server = await created;
		assembly.processes.set(name, server.process);
		await server.process.start();
		return server;
	} catch (error) {
		throw error instanceof Error ? new StartError(error.message) : error;
	}
}
