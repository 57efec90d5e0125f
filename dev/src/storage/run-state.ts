import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import {
	commandLine,
	endProcess,
	isRunning,
	type ProcessIdentity,
} from "../processes/process-identity.ts";
import { StartError } from "../processes/start-error.ts";
import { lockDataDir } from "./folder-lock.ts";

export interface RunState {
	record(name: string, identity?: ProcessIdentity): Promise<void>;
	release(): Promise<void>;
}

interface RunFile {
	/** The folder, unless it is a copy. */
	readonly dataDir: string;
	readonly supervisor: ProcessIdentity;
	readonly processes: Readonly<Record<string, ProcessIdentity>>;
}

const RUN_FILE = "run.json";
const KILL_GRACE_MS = 700;
/** PostgreSQL's workers would outlive a SIGKILL of their parent for a while; SIGQUIT ends them with it. */
const KILL_SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
	postgres: "SIGQUIT",
};

/**
 * What a killed supervisor left running on the folder is ended first, but only processes that are provably its own.
 * @throws StartError when another live process uses the folder, or nothing can be written there
 */
export async function holdDataDir(dataDir: string): Promise<RunState> {
	const lock = await lockDataDir(dataDir);
	const path = join(dataDir, RUN_FILE);
	const found = await readRunFile(path);
	try {
		if (lock === undefined || (await isCopyInUse(found, dataDir)))
			throw await inUse(found, dataDir);
		await killRecorded(found?.processes ?? {});
		const mark = await commandLine(process.pid);
		const content = { dataDir, supervisor: { pid: process.pid, mark } };
		await writeRunFile(path, { ...content, processes: {} });
		return runState(path, content, lock);
	} catch (error) {
		lock?.close();
		throw error;
	}
}

/** The process that runs the system of a data folder; undefined when none does. */
export async function findSupervisor(
	dataDir: string,
): Promise<number | undefined> {
	const found = await readRunFile(join(dataDir, RUN_FILE));
	if (found === undefined || found.dataDir !== dataDir) return undefined;
	const { supervisor } = found;
	return (await isRunning(supervisor)) ? supervisor.pid : undefined;
}

/** The lock does not tell of a folder that was copied while in use. */
async function isCopyInUse(
	found: RunFile | undefined,
	dataDir: string,
): Promise<boolean> {
	if (found === undefined || found.dataDir === dataDir) return false;
	return isRunning(found.supervisor);
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

async function writeRunFile(path: string, content: RunFile): Promise<void> {
	await writeFile(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
	await rename(`${path}.new`, path);
}

async function killRecorded(processes: RunFile["processes"]): Promise<void> {
	const kills = Object.entries(processes).map(([name, identity]) =>
		endProcess(identity, KILL_SIGNALS[name] ?? "SIGKILL", KILL_GRACE_MS),
	);
	await Promise.all(kills);
}

function runState(
	path: string,
	content: Omit<RunFile, "processes">,
	lock: DatabaseSync,
): RunState {
	const processes: Record<string, ProcessIdentity> = {};
	let lastWrite = Promise.resolve();
	let releasing: Promise<void> | undefined;

	/** Once the folder is given free, its file is another one's. */
	async function write(): Promise<void> {
		if (releasing === undefined)
			await writeRunFile(path, { ...content, processes });
	}

	async function giveFree(): Promise<void> {
		await lastWrite.catch(() => {});
		await rm(path, { force: true }).finally(() => lock.close());
	}

	return {
		record: (name, identity) => {
			if (identity === undefined) delete processes[name];
			else processes[name] = identity;
			lastWrite = lastWrite.catch(() => {}).then(write);
			return lastWrite;
		},
		release: () => {
			releasing ??= giveFree();
			return releasing;
		},
	};
}
