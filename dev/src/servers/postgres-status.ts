import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { endProcess, isRunning } from "../processes/process-identity.ts";

/** How long a server that was left on the folder may take to stop, ms. */
const ORPHAN_GRACE_MS = 15_000;

/** A pid may have been given to another program since: only its command line tells. */
export async function stopOrphan(
	dataDir: string,
	stopSignal: NodeJS.Signals,
): Promise<void> {
	const { pid } = await readStatus(dataDir);
	const orphan = { pid, mark: dataDir };
	if (pid > 0 && (await isRunning(orphan)))
		await endProcess(orphan, stopSignal, ORPHAN_GRACE_MS);
	else await rm(join(dataDir, "postmaster.pid"), { force: true });
}

/** The server writes its pid into the first line of this file, and into the eighth whether it takes connections. */
export async function readStatus(dataDir: string) {
	const path = join(dataDir, "postmaster.pid");
	const lines = (await readFile(path, "utf8").catch(() => "")).split("\n");
	return { pid: Number(lines[0]), state: lines[7]?.trim() };
}

/** Where its control file says what the cluster does: an int32 after two ids and two versions, as since version 8. */
const STATE_OFFSET = 16;
const SHUT_DOWN = 1;

/** Asked of a cluster that does not run, or whose server is not ready yet: whether it was not shut down in order. */
export async function hasCrashed(dataDir: string): Promise<boolean> {
	const control = await readFile(join(dataDir, "global/pg_control"));
	return control.readInt32LE(STATE_OFFSET) > SHUT_DOWN;
}
