import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "@airtower/platform/runtime/ports";
import { Kafka, logLevel } from "kafkajs";
import { commandLine, endProcess } from "./end-process.ts";
import { javaEnv } from "./java-env.ts";
import { kafkaJars } from "./kafka-jars.ts";
import { brokerSettings } from "./kafka-settings.ts";
import {
	launchServer,
	type ServerProcess,
	type ServerStart,
} from "./server-process.ts";

const run = promisify(execFile);

export interface KafkaOptions extends ServerStart {
	/** Folder of the broker's log, settings and output; made when it does not exist. */
	readonly dataDir: string;
	/** TCP port on 127.0.0.1; a free one when absent. */
	readonly port?: number;
	/** Compile for throughput (true, slower to start) or for a quick start (false, the default). */
	readonly optimized?: boolean;
	/** Broker settings beside our own, for example `{ "num.partitions": "3" }`. */
	readonly settings?: Readonly<Record<string, string>>;
}

export interface RunningKafka {
	/** Bootstrap addresses, `host:port`. */
	readonly brokers: string[];
	readonly port: number;
	/** Process id of the broker that runs now, undefined while none does. */
	readonly pid: number | undefined;
	/** Resolves when the broker of now has ended, with how; at once while there is none. */
	ended(): Promise<string>;
	/** Ends the broker with SIGKILL, as a crash would. */
	kill(): Promise<void>;
	/** Starts the broker again on the same port and data. */
	restart(): Promise<void>;
	/** Stops the broker cleanly. */
	stop(): Promise<void>;
}

/** The broker of one data folder, as its files describe it. */
interface Installation {
	readonly dataDir: string;
	readonly libs: string;
	readonly port: number;
	readonly controllerPort: number;
	readonly javaFlags: readonly string[];
	readonly settings: Readonly<Record<string, string>>;
}

const LOG_FOLDER = "log";
const START_TIMEOUT_MS = 120_000;
const PROBE_TIMEOUT_MS = 1_000;
const POLL_MS = 50;

const HEAP_FLAGS = ["-Xms256m", "-Xmx256m", "-XX:+UseSerialGC"];
const QUICK_START_FLAGS = ["-XX:TieredStopAtLevel=1"];
const LOG_FLAGS = ["-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"];

/**
 * Starts a real Apache Kafka (KRaft, one broker) on 127.0.0.1 in its own process group.
 * It stops when this process ends, however that ends.
 * @throws Error with one sentence when it does not start, or the start is called off
 */
export async function startKafka(options: KafkaOptions): Promise<RunningKafka> {
	const installation = await install(options);
	let broker = await launch(installation, options);
	const end = async (signal: "SIGTERM" | "SIGKILL") => {
		if (!broker.hasEnded()) await endProcess(broker.pid, signal);
		await broker.ended;
	};
	return {
		brokers: [`127.0.0.1:${installation.port}`],
		port: installation.port,
		get pid() {
			return broker.hasEnded() ? undefined : broker.pid;
		},
		ended: () => broker.ended,
		kill: () => end("SIGKILL"),
		stop: () => end("SIGTERM"),
		restart: async () => {
			await end("SIGKILL");
			broker = await launch(installation, options);
		},
	};
}

async function install(options: KafkaOptions): Promise<Installation> {
	const libs = await kafkaJars(options.signal);
	const dataDir = resolve(options.dataDir);
	await mkdir(dataDir, { recursive: true });
	const installation = {
		dataDir,
		libs,
		port: options.port ?? (await freePort()),
		controllerPort: await freePort(),
		javaFlags: options.optimized === true ? [] : QUICK_START_FLAGS,
		settings: options.settings ?? {},
	};
	await writeFile(propertiesPath(dataDir), serverProperties(installation));
	if (!existsSync(join(dataDir, LOG_FOLDER, "meta.properties")))
		await format(installation, options.signal);
	return installation;
}

function propertiesPath(dataDir: string): string {
	return join(dataDir, "server.properties");
}

function serverProperties(installation: Installation): string {
	const { port, controllerPort } = installation;
	const settings = {
		...brokerSettings({
			bind: "127.0.0.1",
			advertise: "127.0.0.1",
			port,
			controllerPort,
		}),
		// Relative to the process's own folder: a comma, a backslash or a letter beyond ASCII has another meaning in this file.
		"log.dirs": LOG_FOLDER,
		...installation.settings,
	};
	return Object.entries(settings)
		.map(([name, value]) => `${name}=${value}\n`)
		.join("");
}

async function format(
	installation: Installation,
	signal: AbortSignal | undefined,
): Promise<void> {
	const java = (args: string[]) =>
		run("java", ["-cp", `${installation.libs}/*`, ...LOG_FLAGS, ...args], {
			cwd: installation.dataDir,
			env: javaEnv(),
		});
	const tool = "kafka.tools.StorageTool";
	const { stdout } = await java([tool, "random-uuid"]);
	signal?.throwIfAborted();
	await java([
		...[tool, "format", "--ignore-formatted", "-t", stdout.trim()],
		...["-c", propertiesPath(installation.dataDir)],
	]);
}

/** A broker that does not come up is not left behind. */
async function launch(
	installation: Installation,
	options: ServerStart,
): Promise<ServerProcess> {
	const { dataDir, libs, javaFlags } = installation;
	await stopOrphan(dataDir);
	options.signal?.throwIfAborted();
	const broker = await launchServer({
		program: "java",
		args: [
			...[...HEAP_FLAGS, ...javaFlags, ...LOG_FLAGS],
			...["-cp", `${libs}/*`, "kafka.Kafka", propertiesPath(dataDir)],
		],
		cwd: dataDir,
		env: javaEnv(),
		logPath: logPathOf(dataDir),
		mark: propertiesPath(dataDir),
		lastSignal: "SIGKILL",
	});
	try {
		await writeFile(pidPath(dataDir), String(broker.pid));
		await options.onPid?.(broker.pid);
		await untilReady(installation, broker, options.signal);
	} catch (error) {
		await endProcess(broker.pid, "SIGKILL");
		throw error;
	}
	return broker;
}

function logPathOf(dataDir: string): string {
	return join(dataDir, "output.log");
}

async function untilReady(
	{ dataDir, port }: Installation,
	broker: ServerProcess,
	signal: AbortSignal | undefined,
): Promise<void> {
	const deadline = Date.now() + START_TIMEOUT_MS;
	while (!(await kafkaAnswers([`127.0.0.1:${port}`]))) {
		signal?.throwIfAborted();
		if (broker.hasEnded() || Date.now() > deadline)
			throw new Error(
				`Kafka did not start on port ${port}; the reason is at the end of ${logPathOf(dataDir)}.`,
			);
		await delay(POLL_MS);
	}
}

/** True once the broker lists itself: after a crash it takes connections some time before that. */
export async function kafkaAnswers(brokers: string[]): Promise<boolean> {
	const admin = new Kafka({
		brokers,
		logLevel: logLevel.NOTHING,
		connectionTimeout: PROBE_TIMEOUT_MS,
		requestTimeout: PROBE_TIMEOUT_MS,
		retry: { retries: 0 },
	}).admin();
	try {
		await admin.connect();
		return (await admin.describeCluster()).brokers.length > 0;
	} catch {
		return false;
	} finally {
		await admin.disconnect();
	}
}

function pidPath(dataDir: string): string {
	return join(dataDir, "broker.pid");
}

/** Ends a broker that was left on this folder; its command line tells it from a stranger with the same pid. */
async function stopOrphan(dataDir: string): Promise<void> {
	const pid = Number(await readFile(pidPath(dataDir), "utf8").catch(() => ""));
	if (pid > 0 && (await commandLine(pid)).includes(propertiesPath(dataDir)))
		await endProcess(pid, "SIGTERM");
	await rm(pidPath(dataDir), { force: true });
}
