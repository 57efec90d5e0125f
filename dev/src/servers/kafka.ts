import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@airtower/platform/runtime/ports";
import { SupervisedProcess } from "../processes/supervised-process.ts";
import { type Supervision, unsupervised } from "../processes/supervision.ts";
import { kafkaJars } from "./kafka-jars.ts";
import { isKafkaReady } from "./kafka-probe.ts";
import { brokerSettings } from "./kafka-settings.ts";
import { javaEnv } from "./maven-jars.ts";

const run = promisify(execFile);

export interface KafkaOptions {
	readonly dataDir: string;
	/** TCP port on 127.0.0.1; a free one when absent. */
	readonly port?: number;
	/** Compile for throughput (true, slower to start) or for a quick start (false, the default). */
	readonly optimized?: boolean;
	/** Beside or in place of the usual ones, by Kafka's property names. */
	readonly settings?: Readonly<Record<string, string>>;
	/** Users that it knows from its first start: `SCRAM-SHA-512=[name=…,password=…]`. */
	readonly scramUsers?: readonly string[];
	/** A broker that nobody supervises stays down when it crashes. */
	readonly supervision?: Partial<Supervision>;
}

export interface EmbeddedKafka {
	readonly brokers: string[];
	readonly ports: readonly number[];
	readonly process: SupervisedProcess;
}

const LOG_FOLDER = "log";
const HEAP_FLAGS = ["-Xms256m", "-Xmx256m", "-XX:+UseSerialGC"];
const QUICK_START_FLAGS = ["-XX:TieredStopAtLevel=1"];
const LOG_FLAGS = ["-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"];

/** One broker (KRaft) that is still to be started. @throws Error in one sentence when this machine cannot run it */
export async function createKafka(
	options: KafkaOptions,
): Promise<EmbeddedKafka> {
	const dataDir = resolve(options.dataDir);
	const supervision = {
		...unsupervised(join(dataDir, "output.log")),
		...options.supervision,
	};
	const libs = await kafkaJars(supervision.signal);
	const port = options.port ?? (await freePort());
	const brokers = [`127.0.0.1:${port}`];
	const properties = join(dataDir, "server.properties");
	await mkdir(dataDir, { recursive: true });
	const controllerPort = await freePort();
	await writeFile(
		properties,
		serverProperties(port, controllerPort, options.settings),
	);
	if (!existsSync(join(dataDir, LOG_FOLDER, "meta.properties")))
		await format(libs, dataDir, properties, options.scramUsers);
	const flags = [
		...HEAP_FLAGS,
		...LOG_FLAGS,
		...(options.optimized === true ? [] : QUICK_START_FLAGS),
	];
	return {
		brokers,
		ports: [port, controllerPort],
		process: new SupervisedProcess({
			...supervision,
			name: "kafka",
			title: "Kafka",
			command: {
				program: "java",
				args: [...flags, "-cp", `${libs}/*`, "kafka.Kafka", properties],
				env: javaEnv(),
				cwd: dataDir,
				mark: properties,
				stopSignal: "SIGTERM",
			},
			isReady: () => isKafkaReady(brokers),
			isQuiet: true,
		}),
	};
}

function serverProperties(
	port: number,
	controllerPort: number,
	more: KafkaOptions["settings"] = {},
): string {
	const host = "127.0.0.1";
	const address = { bind: host, advertise: host, port, controllerPort };
	// Relative to the process's own folder: a comma, a backslash and letters beyond ASCII have a meaning in this file.
	const settings = {
		...brokerSettings(address),
		...more,
		"log.dirs": LOG_FOLDER,
	};
	return Object.entries(settings)
		.map((each) => `${each.join("=")}\n`)
		.join("");
}

async function format(
	libs: string,
	dataDir: string,
	properties: string,
	users: readonly string[] = [],
): Promise<void> {
	const flags = [...HEAP_FLAGS, ...QUICK_START_FLAGS, ...LOG_FLAGS];
	const tool = ["-cp", `${libs}/*`, "kafka.tools.StorageTool", "format"];
	const scram = users.flatMap((user) => ["--add-scram", user]);
	const args = ["-t", clusterId(), "-c", properties, ...scram];
	await run("java", [...flags, ...tool, "--ignore-formatted", ...args], {
		cwd: dataDir,
		env: javaEnv(),
	});
}

/** A UUID in Kafka's form, which no option's name can be taken for. */
function clusterId(): string {
	const bytes = Buffer.from(randomUUID().replaceAll("-", ""), "hex");
	const id = bytes.toString("base64url");
	return id.startsWith("-") ? clusterId() : id;
}
