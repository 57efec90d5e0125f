import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { kafkaAnswers, startKafka } from "../kafka.ts";
import { startPostgres } from "../postgres.ts";
import type { ServerStart } from "../server-process.ts";
import { type Assembly, reportReady } from "./assembly.ts";
import { type Databases, ensureDatabase, ensureRoles } from "./databases.ts";
import { keepServer, type RunningServer } from "./kept-server.ts";
import { StartError } from "./system.ts";

/** Longest wait for brokers of the user's own, ms. */
const BROKERS_TIMEOUT_MS = 10_000;
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
	const { url, socketDir } = await startServer(assembly, "postgres", (hooks) =>
		startPostgres({
			...hooks,
			dataDir: join(assembly.dataDir, "postgres"),
			password: assembly.secrets.postgresPassword,
			onRecovery: () =>
				assembly.onEvent({
					kind: "waiting",
					part: "PostgreSQL",
					why: "still starts; after a crash that may take minutes",
				}),
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
			: await untilAnswered(kafka, assembly.callOff.signal);
	reportReady(assembly, "Kafka");
	return brokers;
}

async function startBroker(assembly: Assembly): Promise<readonly string[]> {
	const { brokers } = await startServer(assembly, "kafka", (hooks) =>
		startKafka({
			...hooks,
			dataDir: join(assembly.dataDir, "kafka"),
			optimized: assembly.options.optimizedKafka ?? false,
		}),
	);
	return brokers;
}

async function untilAnswered(
	brokers: readonly string[],
	signal: AbortSignal,
): Promise<readonly string[]> {
	const deadline = Date.now() + BROKERS_TIMEOUT_MS;
	while (!(await kafkaAnswers([...brokers]))) {
		signal.throwIfAborted();
		if (Date.now() > deadline)
			throw new StartError(
				`No Kafka answers at ${brokers.join(", ")}; check KAFKA_BROKERS.`,
			);
		await delay(POLL_MS);
	}
	return brokers;
}

/** Starts a server of our own, which from then on is kept running. */
async function startServer<S extends RunningServer>(
	assembly: Assembly,
	name: "postgres" | "kafka",
	start: (hooks: ServerStart) => Promise<S>,
): Promise<S> {
	const { state } = assembly;
	const kept = await keepServer({
		name,
		start: (signal) =>
			start({ signal, onPid: (pid) => state.record(name, pid) }),
		restartCrashed: assembly.options.restartCrashed ?? true,
		givesWay: name === "kafka",
		onEvent: assembly.onEvent,
		onEnd: () => state.record(name, undefined),
		signal: assembly.callOff.signal,
		force: () => state.kill(name),
	}).catch(refuse);
	assembly.servers.set(name, kept);
	assembly.stoppables.push({ stage: "storage", stop: kept.stop });
	return kept.server;
}

/** The starters of PostgreSQL and Kafka already explain themselves in a sentence. */
function refuse(error: unknown): never {
	throw new StartError(error instanceof Error ? error.message : String(error));
}
