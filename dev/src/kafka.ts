import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "@airtower/platform/ports";
import { Kafka, logLevel } from "kafkajs";
import { commandLine, endProcess } from "./end-process.ts";
import { javaEnv } from "./java-env.ts";
import { kafkaJars } from "./kafka-jars.ts";
import { brokerSettings } from "./kafka-settings.ts";
import { holdLifeline, type Lifeline } from "./lifeline.ts";

const run = promisify(execFile);

export interface KafkaOptions {
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

interface Broker {
	readonly pid: number;
	readonly lifeline: Lifeline;
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
 * It does not outlive this process: should we be killed, a lifeline process ends the broker.
 */
export async function startKafka(options: KafkaOptions): Promise<RunningKafka> {
	const installation = await install(options);
	let broker: Broker | undefined = await launch(installation);
	// Known until it has ended: who loses patience with a stop can still kill it.
	const end = async (signal: "SIGTERM" | "SIGKILL") => {
		const ending = broker;
		if (ending === undefined) return;
		await endBroker(ending, signal);
		if (broker === ending) broker = undefined;
	};
	return {
		brokers: [`127.0.0.1:${installation.port}`],
		port: installation.port,
		get pid() {
			return broker?.pid;
		},
		kill: () => end("SIGKILL"),
		stop: () => end("SIGTERM"),
		restart: async () => {
			await end("SIGKILL");
			broker = await launch(installation);
		},
	};
}

async function install(options: KafkaOptions): Promise<Installation> {
	const libs = await kafkaJars();
	const dataDir = resolve(options.dataDir);
	await mkdir(dataDir, { recursive: true });
	await stopOrphan(dataDir);
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
		await format(installation);
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

async function format(installation: Installation): Promise<void> {
	const java = (args: string[]) =>
		run("java", ["-cp", `${installation.libs}/*`, ...LOG_FLAGS, ...args], {
			cwd: installation.dataDir,
			env: javaEnv(),
		});
	const tool = "kafka.tools.StorageTool";
	const { stdout } = await java([tool, "random-uuid"]);
	await java([
		...[tool, "format", "--ignore-formatted", "-t", stdout.trim()],
		...["-c", propertiesPath(installation.dataDir)],
	]);
}

async function launch(installation: Installation): Promise<Broker> {
	const { dataDir } = installation;
	const output = await open(join(dataDir, "output.log"), "a", 0o600);
	const child = spawn(
		"java",
		[
			...[...HEAP_FLAGS, ...installation.javaFlags, ...LOG_FLAGS],
			...["-cp", `${installation.libs}/*`, "kafka.Kafka"],
			propertiesPath(dataDir),
		],
		{
			cwd: dataDir,
			env: javaEnv(),
			detached: true,
			stdio: ["ignore", output.fd, output.fd],
		},
	);
	await output.close();
	child.unref();
	const pid = child.pid ?? 0;
	const mark = propertiesPath(dataDir);
	const broker = {
		pid,
		lifeline: holdLifeline({ pid, mark, signal: "SIGKILL" }),
	};
	await writeFile(pidPath(dataDir), String(broker.pid));
	try {
		await untilReady(installation, child);
	} catch (error) {
		await endBroker(broker, "SIGKILL");
		throw error;
	}
	return broker;
}

async function untilReady(
	installation: Installation,
	child: ChildProcess,
): Promise<void> {
	const deadline = Date.now() + START_TIMEOUT_MS;
	while (!(await kafkaAnswers([`127.0.0.1:${installation.port}`]))) {
		if (child.exitCode !== null || Date.now() > deadline)
			throw new Error(
				`Kafka did not start on port ${installation.port}; the reason is at the end of ${join(installation.dataDir, "output.log")}.`,
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

/** The lifeline is let go last: until the broker is gone it must stay able to end it. */
async function endBroker(
	broker: Broker,
	signal: "SIGTERM" | "SIGKILL",
): Promise<void> {
	await endProcess(broker.pid, signal);
	broker.lifeline.release();
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
