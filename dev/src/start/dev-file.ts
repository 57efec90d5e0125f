import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AdminAccess } from "./admin-clients.ts";
import type { DemoData } from "./demo-data.ts";
import { StartError, type System } from "./system.ts";

/** How to reach a running system: for the demo, the benchmarks and a user's own scripts. */
export interface DevFile extends AdminAccess {
	/** Public API with its version. */
	readonly baseUrl: string;
	/** Key of the demo organization. */
	readonly apiKey: string;
	readonly organizationId: string;
	readonly sender: string;
	/** The demo organization's WhatsApp number, and a template that it may send. */
	readonly whatsapp: DemoData["whatsapp"];
	/** The Cloud API look-alike, with its control under /control. */
	readonly cloudApi: System["cloudApi"];
	/** The simulator's addresses; absent with an SMSC of the user's own. */
	readonly smsc?: NonNullable<System["smsc"]>;
	/** Process that runs the system. */
	readonly pid: number;
	/** RFC 3339. */
	readonly readyAt: string;
}

const DEV_FILE = "dev.json";

/** Writes the file, readable by its owner alone: it holds a key and an admin token. */
export async function writeDevFile(
	dataDir: string,
	content: DevFile,
): Promise<void> {
	const path = join(dataDir, DEV_FILE);
	const text = `${JSON.stringify(content, null, "\t")}\n`;
	await writeFile(`${path}.new`, text, { mode: 0o600 });
	await rename(`${path}.new`, path);
}

/** What the file of a running system says. */
export function devFileOf(
	system: System,
	access: AdminAccess,
	demo: DemoData,
): DevFile {
	return {
		baseUrl: system.baseUrl,
		...demo,
		...access,
		cloudApi: system.cloudApi,
		...(system.smsc === undefined ? {} : { smsc: system.smsc }),
		pid: process.pid,
		readyAt: new Date().toISOString(),
	};
}

/**
 * Reads the file of a data folder.
 * @throws StartError when there is none
 */
export async function readDevFile(dataDir: string): Promise<DevFile> {
	try {
		return JSON.parse(
			await readFile(join(dataDir, DEV_FILE), "utf8"),
		) as DevFile;
	} catch {
		throw new StartError(
			`Nothing has been started on ${dataDir} yet; run npm start in another terminal first.`,
		);
	}
}
