import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A folder that no other process can lock while this one holds it. */
export interface FolderLock {
	release(): void;
}

const LOCK_FILE = "run.lock";
const SQLITE_BUSY = 5;
/** SQLite takes its lock in steps: of several that ask at the same moment one gets it once the others have stepped back. */
const PATIENCE_MS = 500;

/**
 * Locks a folder; undefined when it is locked already, by this process too. Node has no lock of its own
 * that a crash cannot leave behind, so it is SQLite's on an empty database: the system takes it back when the process
 * ends, however it ends.
 * @throws Error when no file can be made in the folder
 */
export function lockFolder(folder: string): FolderLock | undefined {
	const database = new DatabaseSync(join(folder, LOCK_FILE), {
		timeout: PATIENCE_MS,
	});
	try {
		// In memory, for a journal would be a second file.
		database.exec("pragma journal_mode = memory; begin exclusive");
	} catch (error) {
		database.close();
		if ((error as { errcode?: number }).errcode === SQLITE_BUSY)
			return undefined;
		throw error;
	}
	return { release: () => database.close() };
}
