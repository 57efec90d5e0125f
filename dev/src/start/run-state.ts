import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
	identify,
	isRunning,
	type ProcessIdentity,
} from "./process-identity.ts";
import { StartError } from "./system.ts";

/** What runs on a data folder: kept on disk so that a later start can recover from a killed one. */
export interface RunState {
	/** Tells the state which process runs under a name now; undefined when none does. */
	record(name: string, pid: number | undefined): Promise<void>;
	/** Gives the data folder free. */
	release(): Promise<void>;
	/** Kills one recorded process, and waits until it is gone. */
	kill(name: string): Promise<void>;
	/** Kills every recorded process at once. */
	killAll(): Promise<void>;
}

interface RunFile {
	readonly supervisor: ProcessIdentity;
	readonly processes: Readonly<Record<string, ProcessIdentity>>;
}

const RUN_FILE = "run.json";
const KILL_WAIT_MS = 700;
/** PostgreSQL's workers would outlive a SIGKILL of their parent for a while; SIGQUIT ends them with it, without a checkpoint. */
const KILL_SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
	postgres: "SIGQUIT",
};
const POLL_MS = 20;

/**
 * Takes a data folder for this process. What a killed supervisor left running there is ended first,
 * but only processes that are provably its own.
 * @throws StartError when another live process holds the folder
 */
export async function holdDataDir(dataDir: string): Promise<RunState> {
	await mkdir(dataDir, { recursive: true }).catch((error: Error) => {
		throw new StartError(`The data folder cannot be used: ${error.message}.`);
	});
	const path = join(dataDir, RUN_FILE);
	const supervisor = await identify(process.pid);
	if (supervisor === undefined)
		throw new Error("This process has no start time.");
	await recover(path, dataDir);
	await claim(path, { supervisor, processes: {} }, dataDir);
	return runState(path, supervisor);
}

async function recover(path: string, dataDir: string): Promise<void> {
	const found = await readRunFile(path);
	if (found !== undefined) {
		if (await isRunning(found.supervisor)) throw inUse(found, dataDir);
		await killRecorded(found.processes);
	}
	await rm(path, { force: true });
}

/** The file appears whole and only where none is: of two starts at the same moment one is refused. */
async function claim(
	path: string,
	content: RunFile,
	dataDir: string,
): Promise<void> {
	const draft = `${path}.${process.pid}`;
	await writeFile(draft, JSON.stringify(content), { mode: 0o600 });
	try {
		await link(draft, path);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
		throw inUse(await readRunFile(path), dataDir);
	} finally {
		await rm(draft, { force: true });
	}
}

function inUse(found: RunFile | undefined, dataDir: string): StartError {
	const holder =
		found === undefined ? "" : ` (process ${found.supervisor.pid})`;
	return new StartError(
		`Airtower already runs on ${dataDir}${holder}; stop it first, or start a second one with --data-dir and --port.`,
	);
}

async function readRunFile(path: string): Promise<RunFile | undefined> {
	try {
		return JSON.parse(await readFile(path, "utf8")) as RunFile;
	} catch {
		return undefined;
	}
}

async function killRecorded(processes: RunFile["processes"]): Promise<void> {
	const kills = Object.entries(processes).map(([name, identity]) =>
		killAndWait(identity, KILL_SIGNALS[name] ?? "SIGKILL"),
	);
	await Promise.all(kills);
}

async function killAndWait(
	identity: ProcessIdentity,
	signal: NodeJS.Signals,
): Promise<void> {
	if (!(await isRunning(identity))) return;
	process.kill(identity.pid, signal);
	const deadline = Date.now() + KILL_WAIT_MS;
	while (await isRunning(identity)) {
		if (Date.now() > deadline) process.kill(identity.pid, "SIGKILL");
		await delay(POLL_MS);
	}
}

function runState(path: string, supervisor: ProcessIdentity): RunState {
	const processes: Record<string, ProcessIdentity> = {};
	let lastWrite = Promise.resolve();
	let released = false;

	async function write(): Promise<void> {
		await writeFile(`${path}.new`, JSON.stringify({ supervisor, processes }), {
			mode: 0o600,
		});
		await rename(`${path}.new`, path);
	}

	return {
		async record(name, pid) {
			if (released) return;
			const identity = pid === undefined ? undefined : await identify(pid);
			if (identity === undefined) delete processes[name];
			else processes[name] = identity;
			lastWrite = lastWrite.then(write);
			await lastWrite;
		},
		async release() {
			released = true;
			await lastWrite;
			await rm(path, { force: true });
		},
		kill: async (name) => {
			const found = processes[name];
			if (found !== undefined) await killRecorded({ [name]: found });
		},
		killAll: () => killRecorded(processes),
	};
}
