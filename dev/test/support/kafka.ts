import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	createKafka,
	type EmbeddedKafka,
	type KafkaOptions,
} from "../../src/servers/kafka.ts";
import { canRunKafka } from "../../src/servers/kafka-jars.ts";
import { hasDocker, startDockerKafka } from "./docker-kafka.ts";
import type { SharedServer } from "./shared-servers.ts";

/** Where this machine gets a broker: one that is given, one in a container, or one from its jars. */
export type KafkaSource = "given" | "docker" | "java";

/** A broker that a test file has for itself. */
export interface TestKafka {
	readonly brokers: readonly string[];
	/** Ends it as a crash would. */
	kill(): Promise<void>;
	/** Starts it again on the same port and data. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

/** The broker that the test run shares; without a source there is none, and the tests that need one are skipped. */
export interface SharedKafka {
	readonly source?: KafkaSource;
	readonly brokers: readonly string[];
}

/**
 * Starts a broker from the first source of: KAFKA_BROKERS, a Docker engine, Java with Maven. With none of them the
 * tests that need Kafka are skipped with a loud line, and under CI=true this throws instead.
 */
export async function startSharedKafka(): Promise<
	SharedServer & { readonly facts: SharedKafka }
> {
	const source = await findSource();
	const given = givenBrokers();
	if (source === undefined || source === "given")
		return {
			facts: { ...(source && { source }), brokers: given },
			stop: async () => {},
		};
	const { brokers, stop } = await startTestKafka(source);
	return { facts: { source, brokers }, stop };
}

async function findSource(): Promise<KafkaSource | undefined> {
	if (givenBrokers().length > 0) return "given";
	if (await hasDocker()) return "docker";
	if (await canRunKafka()) return "java";
	const line =
		"NO KAFKA: set KAFKA_BROKERS, start a Docker engine, or install Java 17 and Maven";
	if (process.env.CI === "true") throw new Error(`${line}.`);
	process.stderr.write(`\n*** ${line}; the Kafka tests are skipped. ***\n\n`);
	return undefined;
}

/** Starts a broker of the test file's own. */
export async function startTestKafka(
	source: Exclude<KafkaSource, "given">,
): Promise<TestKafka> {
	if (source === "docker") return startDockerKafka();
	const dir = await mkdtemp(join(tmpdir(), "airtower-kafka-"));
	const { brokers, process } = await startKafka({ dataDir: dir });
	return {
		brokers,
		kill: () => process.kill(),
		restart: () => process.restart(),
		stop: async () => {
			await process.kill();
			await rm(dir, { recursive: true, force: true });
		},
	};
}

/** Starts a real broker that nobody supervises. */
export async function startKafka(
	options: KafkaOptions,
): Promise<EmbeddedKafka> {
	const kafka = await createKafka(options);
	await kafka.process.start();
	return kafka;
}

function givenBrokers(): string[] {
	const brokers = (process.env.KAFKA_BROKERS ?? "").split(",");
	return brokers.map((broker) => broker.trim()).filter((broker) => broker);
}
