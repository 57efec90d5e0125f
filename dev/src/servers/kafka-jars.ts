import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { StartError } from "../processes/start-error.ts";

const run = promisify(execFile);

/** The broker's version; dev/kafka/pom.xml names the same. */
export const KAFKA_VERSION = "4.3.1";
const MIN_JAVA = 17;

const root = fileURLToPath(new URL("../../../", import.meta.url));
const pom = join(root, "dev/kafka/pom.xml");
const libs = join(root, ".cache", `kafka-${KAFKA_VERSION}`, "libs");

/** Environment of a Java program: outside a UTF-8 locale it cannot open a path with a letter beyond ASCII. */
export function javaEnv(): NodeJS.ProcessEnv {
	return { ...process.env, LC_ALL: "C.UTF-8" };
}

/** The first call fetches the jars with Maven, about 44 MB. @throws Error in one sentence when it cannot */
export async function kafkaJars(signal?: AbortSignal): Promise<string> {
	if ((await javaVersion()) < MIN_JAVA)
		throw new StartError(
			`Kafka needs Java ${MIN_JAVA} or newer on the PATH; install a JRE, or set KAFKA_BROKERS to a broker of your own.`,
		);
	if (!existsSync(libs)) await fetchJars(signal);
	return libs;
}

export async function canRunKafka(): Promise<boolean> {
	if ((await javaVersion()) < MIN_JAVA) return false;
	return existsSync(libs) || hasMaven();
}

async function javaVersion(): Promise<number> {
	try {
		const { stderr } = await run("java", ["-version"]);
		return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0);
	} catch {
		return 0;
	}
}

/** The jars are gathered beside their place and moved there whole: a crash leaves no half of them. */
async function fetchJars(signal: AbortSignal | undefined): Promise<void> {
	if (!(await hasMaven()))
		throw new StartError(
			"Kafka's jars are fetched with Maven, and there is no mvn on the PATH; " +
				"install Maven, or set KAFKA_BROKERS to a broker of your own.",
		);
	await mkdir(dirname(libs), { recursive: true });
	const draft = await mkdtemp(join(dirname(libs), "fetch-"));
	const target = join(draft, "libs");
	try {
		await run(
			"mvn",
			[
				"-B",
				"-q",
				"-f",
				pom,
				"dependency:copy-dependencies",
				"-DincludeScope=runtime",
				`-DoutputDirectory=${target}`,
			],
			{ env: javaEnv(), signal },
		).catch((cause) => {
			throw new StartError(
				"Maven could not fetch Kafka's jars; is it online?",
				{
					cause,
				},
			);
		});
		await rename(target, libs).catch((error) => {
			if (!existsSync(libs)) throw error;
		});
	} finally {
		await rm(draft, { recursive: true, force: true });
	}
}

function hasMaven(): Promise<boolean> {
	return run("mvn", ["-v"], { env: javaEnv() }).then(
		() => true,
		() => false,
	);
}
