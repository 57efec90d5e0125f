import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKafka } from "../servers/kafka.ts";
import { canRunKafka } from "../servers/kafka-jars.ts";
import { hasDocker, startDockerKafka } from "./docker-kafka.ts";

/** Where this machine gets a broker: one that is given, one in a container, or one from its jars. */
export type KafkaSource = "given" | "docker" | "java";

/** A broker for tests. One that was given is left alone: it cannot be killed or started again. */
export type TestKafka =
	| {
			readonly owned: true;
			readonly brokers: string[];
			kill(): Promise<void>;
			/** Starts it again on the same port and data. */
			restart(): Promise<void>;
			stop(): Promise<void>;
	  }
	| {
			readonly owned: false;
			readonly brokers: string[];
			stop(): Promise<void>;
	  };

let found: Promise<KafkaSource | undefined> | undefined;

/**
 * The first of: KAFKA_BROKERS, a Docker engine, Java with Maven. With none of them the tests that
 * need Kafka are skipped with a loud line, and under CI=true this throws instead.
 */
export function findKafka(): Promise<KafkaSource | undefined> {
	found ??= search();
	return found;
}

async function search(): Promise<KafkaSource | undefined> {
	if (givenBrokers().length > 0) return "given";
	if (await hasDocker()) return "docker";
	if (await canRunKafka()) return "java";
	const line =
		"NO KAFKA: set KAFKA_BROKERS, start a Docker engine, or install Java 17 and Maven";
	if (process.env.CI === "true") throw new Error(`${line}.`);
	process.stderr.write(`\n*** ${line}; the Kafka tests are skipped. ***\n\n`);
	return undefined;
}

/** Starts a broker of the test's own from the source, or answers the given one. */
export async function startTestKafka(source: KafkaSource): Promise<TestKafka> {
	if (source === "given")
		return {
			owned: false,
			brokers: givenBrokers(),
			stop: async () => {},
		};
	if (source === "docker")
		return { owned: true, ...(await startDockerKafka()) };
	return startLocalKafka();
}

async function startLocalKafka(): Promise<TestKafka> {
	const dir = await mkdtemp(join(tmpdir(), "airtower-kafka-"));
	const kafka = await startKafka({ dataDir: dir });
	return {
		owned: true,
		brokers: kafka.brokers,
		kill: () => kafka.process.kill(),
		restart: () => kafka.process.restart(),
		stop: async () => {
			await kafka.process.kill();
			await rm(dir, { recursive: true, force: true });
		},
	};
}

function givenBrokers(): string[] {
	return (process.env.KAFKA_BROKERS ?? "")
		.split(",")
		.map((broker) => broker.trim())
		.filter((broker) => broker !== "");
}
