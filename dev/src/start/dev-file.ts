import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "../processes/start-error.ts";
import { type AdminAccess, adminAccessOf } from "./admin-clients.ts";
import type { DemoData } from "./demo-data.ts";
import type { System } from "./system.ts";

/** How to reach a running system: for the demo, the admin command and a user's own scripts. */
export interface DevFile extends AdminAccess, DemoData {
	readonly baseUrl: string;
	readonly cloudApi: System["cloudApi"];
	/** The simulator's addresses; absent with an SMSC of the user's own. */
	readonly smsc?: NonNullable<System["smsc"]>;
	/** The operators that are simulated beside it. */
	readonly otherOperators: System["otherOperators"];
	/** Host and port that SMS go to. */
	readonly operator: string;
	readonly eventBus: "PostgreSQL" | "Kafka";
	readonly pid: number;
	readonly readyAt: string;
}

const DEV_FILE = "dev.json";

/** Writes the file, readable by its owner alone: it contains an API key. */
export async function writeDevFile(
	system: System,
	demo: DemoData,
	smpp = "smpp://unknown",
): Promise<DevFile> {
	const content: DevFile = {
		baseUrl: system.baseUrl,
		...demo,
		...adminAccessOf(system),
		cloudApi: system.cloudApi,
		...(system.smsc === undefined ? {} : { smsc: system.smsc }),
		otherOperators: system.otherOperators,
		operator: new URL(system.smsc?.smppUrl ?? smpp).host,
		eventBus: system.kafkaBrokers === undefined ? "PostgreSQL" : "Kafka",
		pid: process.pid,
		readyAt: new Date().toISOString(),
	};
	const path = join(system.dataDir, DEV_FILE);
	const text = `${JSON.stringify(content, null, "\t")}\n`;
	await writeFile(`${path}.new`, text, { mode: 0o600 });
	await rename(`${path}.new`, path);
	return content;
}

export async function readDevFile(dataDir: string): Promise<DevFile> {
	try {
		const text = await readFile(join(dataDir, DEV_FILE), "utf8");
		return JSON.parse(text) as DevFile;
	} catch {
		throw new StartError(
			`Nothing has been started on ${dataDir} yet; run npm start in another terminal first.`,
		);
	}
}
