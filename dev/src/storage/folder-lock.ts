import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "../processes/start-error.ts";

const LOCK_FILE = "run.lock";
const SQLITE_BUSY = 5;
/** SQLite takes its lock in several steps: of processes that ask at once, one gets it once the others have given up. */
const LOCK_PATIENCE_MS = 500;

/**
 * Locks the folder for this process; undefined when another one has the lock. It is SQLite's lock on an empty database,
 * because the system releases it however the process ends.
 */
export async function lockDataDir(
	dataDir: string,
): Promise<DatabaseSync | undefined> {
	let database: DatabaseSync | undefined;
	try {
		await mkdir(dataDir, { recursive: true });
		database = new DatabaseSync(join(dataDir, LOCK_FILE), {
			timeout: LOCK_PATIENCE_MS,
		});
		// In memory: a journal on disk would be a second file.
		database.exec("pragma journal_mode = memory; begin exclusive");
		return database;
	} catch (error) {
		database?.close();
		if ((error as { errcode?: number }).errcode === SQLITE_BUSY)
			return undefined;
		throw new StartError(
			`The data folder ${dataDir} cannot be used: ${(error as Error).message}.`,
		);
	}
}
