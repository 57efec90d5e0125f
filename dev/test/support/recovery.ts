import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Lets the next start of a stopped cluster recover while a file exists; returns the settings that it needs for that.
 */
export async function recoverWhile(
	dataDir: string,
	file: string,
): Promise<Record<string, string>> {
	await writeFile(join(dataDir, "recovery.signal"), "");
	return {
		restore_command: `while [ -e "${file}" ]; do sleep 0.1; done; false`,
	};
}
