import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sendSignal } from "../end-process.ts";
import { type FolderLock, lockFolder } from "./folder-lock.ts";
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
 * @throws StartError when another live process holds the folder, or nothing can be written there
 */
export async function holdDataDir(dataDir: string): Promise<RunState> {
	const supervisor = await identify(process.pid);
	if (supervisor === undefined)
		throw new Error("This process has no start time.");
	const lock = await lockDataDir(dataDir);
	const path = join(dataDir, RUN_FILE);
	const found = await readRunFile(path);
	if (lock === undefined) throw await inUse(found, dataDir);
	try {
		await recover(found, dataDir);
		await writeRunFile(path, { supervisor, processes: {} });
	} catch (error) {
		lock.release();
		throw error;
	}
	return runState(path, supervisor, lock);
}

/** Undefined when another one holds it. */
async function lockDataDir(dataDir: string): Promise<FolderLock | undefined> {
	try {
		await mkdir(dataDir, { recursive: true });
		return lockFolder(dataDir);
	} catch (error) {
		throw new StartError(
			`The data folder ${dataDir} cannot be used: ${(error as Error).message}.`,
		);
	}
}

/** The lock does not tell of a folder that was copied while in use: its file names processes of a live supervisor. */
async function recover(
	found: RunFile | undefined,
	dataDir: string,
): Promise<void> {
	if (found === undefined) return;
	if (await isRunning(found.supervisor)) throw await inUse(found, dataDir);
	await killRecorded(found.processes);
}

/** The file of a holder that is only beginning is still that of the one before it. */
async function inUse(
	found: RunFile | undefined,
	dataDir: string,
): Promise<StartError> {
	const named = found !== undefined && (await isRunning(found.supervisor));
	const holder = named ? ` (process ${found.supervisor.pid})` : "";
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

/** The file changes as a whole: a crash leaves no half of one. */
async function writeRunFile(path: string, content: RunFile): Promise<void> {
	await writeFile(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
	await rename(`${path}.new`, path);
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
	sendSignal(identity.pid, signal);
	const deadline = Date.now() + KILL_WAIT_MS;
	while (await isRunning(identity)) {
		if (Date.now() > deadline) sendSignal(identity.pid, "SIGKILL");
		await delay(POLL_MS);
	}
}

function runState(
	path: string,
	supervisor: ProcessIdentity,
	lock: FolderLock,
): RunState {
	const processes: Record<string, ProcessIdentity> = {};
	let lastWrite = Promise.resolve();
	let releasing: Promise<void> | undefined;

	/** Once the folder is given free, its file is another one's. */
	async function write(): Promise<void> {
		if (releasing === undefined)
			await writeRunFile(path, { supervisor, processes });
	}

	async function giveFree(): Promise<void> {
		try {
			await lastWrite;
		} finally {
			await rm(path, { force: true });
			lock.release();
		}
	}

	return {
		async record(name, pid) {
			const identity = pid === undefined ? undefined : await identify(pid);
			if (identity === undefined) delete processes[name];
			else processes[name] = identity;
			lastWrite = lastWrite.catch(() => {}).then(write);
			await lastWrite;
		},
		release: () => {
			releasing ??= giveFree();
			return releasing;
		},
		kill: async (name) => {
			const found = processes[name];
			if (found !== undefined) await killRecorded({ [name]: found });
		},
		killAll: () => killRecorded(processes),
	};
}
