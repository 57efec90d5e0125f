import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { StartError } from "../processes/start-error.ts";
import { fetchJars, hasMaven, javaVersion } from "./maven-jars.ts";

/** The broker's version; dev/kafka/pom.xml names the same. */
export const KAFKA_VERSION = "4.3.1";
const MIN_JAVA = 17;

const root = fileURLToPath(new URL("../../../", import.meta.url));
const jars = {
	name: "Kafka",
	pom: join(root, "dev/kafka/pom.xml"),
	libs: join(root, ".cache", `kafka-${KAFKA_VERSION}`, "libs"),
	otherwise: ", or set KAFKA_BROKERS to a broker of your own",
};

/** The first call fetches the jars with Maven, about 44 MB. @throws Error in one sentence when it cannot */
export async function kafkaJars(signal?: AbortSignal): Promise<string> {
	if ((await javaVersion()) < MIN_JAVA)
		throw new StartError(
			`Kafka needs Java ${MIN_JAVA} or newer on the PATH; install a JRE, or set KAFKA_BROKERS to a broker of your own.`,
		);
	return fetchJars(jars, signal);
}

export async function canRunKafka(): Promise<boolean> {
	if ((await javaVersion()) < MIN_JAVA) return false;
	return existsSync(jars.libs) || hasMaven();
}
