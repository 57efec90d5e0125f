import { mkdirSync, rmSync } from "node:fs";
import { readdir, readFile, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { isRunning } from "../src/processes/process-identity.ts";

/** Linux keeps in memory what is written here. */
const MEMORY = "/dev/shm";
const PREFIX = "airtower-tests-";
/** In the command line of a test run. */
const MARK = "run-tests.ts";
/** Several times what the databases, brokers and logs of a run take, bytes. */
const ROOM = 4 * 1024 ** 3;

/**
 * Makes a folder in memory for what the tests write, which goes when this process ends; undefined where there is no
 * room for one. A test's database has a thousand files, and ext4 looks long for inodes that were not in use lately:
 * a fifth of a run.
 */
export async function makeMemoryFolder(): Promise<string | undefined> {
	if (!(await hasRoom()) || (await isNoExec())) return undefined;
	await removeLeftOver();
	const folder = join(MEMORY, `${PREFIX}${process.pid}`);
	mkdirSync(folder);
	process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

async function hasRoom(): Promise<boolean> {
	const found = await statfs(MEMORY).catch(() => undefined);
	return found !== undefined && found.bavail * found.bsize >= ROOM;
}

/** As containers have it by default: tests start programs from what they write. Of several mounts the last counts. */
async function isNoExec(): Promise<boolean> {
	const mounts = await readFile("/proc/mounts", "utf8");
	const found = [...mounts.matchAll(/ \/dev\/shm \S+ (\S+)/g)].at(-1);
	const [, options = ""] = found ?? [];
	return options.split(",").includes("noexec");
}

/** Of runs that were killed: nothing else would give their memory back. */
async function removeLeftOver(): Promise<void> {
	for (const name of await readdir(MEMORY)) {
		if (!name.startsWith(PREFIX)) continue;
		const pid = Number(name.slice(PREFIX.length));
		if (pid !== process.pid && (await isRunning({ pid, mark: MARK }))) continue;
		await rm(join(MEMORY, name), { recursive: true, force: true });
	}
}
