import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@airtower/dev/servers/postgres";
import { askForSharedServer } from "@airtower/dev/testing/ask-shared-server";
import { type SharedKafka, startTestKafka } from "@airtower/dev/testing/kafka";
import type { EventBus } from "@airtower/platform/events/event-bus";
import { createKafkaEventBus } from "@airtower/platform/events/kafka/event-bus";
import { createPostgresEventBus } from "@airtower/platform/events/postgres/event-bus";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { freePort } from "@airtower/platform/runtime/ports";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";

/** What a client needs to open the bus; plain data, so that another process can be told. */
export type BusAddress =
	| { readonly kind: "kafka"; readonly brokers: readonly string[] }
	| { readonly kind: "postgres"; readonly databaseUrl: string };

/** The server behind an adapter, under the test's control. */
export interface BusServer {
	readonly address: BusAddress;
	kill(): Promise<void>;
	restart(): Promise<void>;
	stop(): Promise<void>;
}

/** Short: dead members are noticed soon. */
const SESSION_TIMEOUT_MS = 3_000;
const PARTITIONS = 4;
const STOP_GRACE_MS = 15_000;

export async function openBus(
	address: BusAddress,
	onFatal: (error: Error) => void = () => {},
	stallTimeoutMs = 60_000,
	sessionTimeoutMs = SESSION_TIMEOUT_MS,
): Promise<EventBus> {
	const common = { clientId: "test", log: silentLog };
	if (address.kind === "postgres")
		return createPostgresEventBus({ ...common, ...address });
	return createKafkaEventBus({
		...common,
		brokers: [...address.brokers],
		onFatal,
		stallTimeoutMs,
		metrics: createMetrics("test"),
		partitions: PARTITIONS,
		sessionTimeoutMs,
	});
}

/** Where the broker is that all test files share; without a source there is none. */
export function sharedKafka(): Promise<SharedKafka> {
	return askForSharedServer("kafka");
}

/** A broker of the test file's own, to be killed. */
export async function startKafkaServer(
	source: "docker" | "java",
): Promise<BusServer> {
	const { brokers, ...kafka } = await startTestKafka(source);
	return {
		...kafka,
		address: { kind: "kafka", brokers },
		// One that was killed may find its port taken for a moment, and ends.
		restart: () => eventually(kafka.restart),
	};
}

/** A PostgreSQL of its own: the one that all test files share must not be killed. */
export async function startPostgresServer(): Promise<BusServer> {
	const dir = await mkdtemp(join(tmpdir(), "airtower-bus-"));
	await chmod(dir, 0o755);
	const options = {
		dataDir: join(dir, "postgres"),
		password: randomBytes(12).toString("hex"),
		port: await freePort(),
	};
	const { url, process: server } = await startPostgres(options);
	return {
		address: { kind: "postgres", databaseUrl: url },
		kill: () => server.kill("SIGKILL"),
		restart: () => eventually(() => server.restart()),
		stop: async () => {
			await server.stop(STOP_GRACE_MS);
			await rm(dir, { recursive: true, force: true });
		},
	};
}
