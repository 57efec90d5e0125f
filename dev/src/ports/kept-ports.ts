import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A user's own scripts and tools know the simulators by their ports. */
export interface KeptPorts {
	readonly smpp: number;
	readonly smscControl: number;
	readonly cloudApi: number;
}

const FILE = "ports.json";

/** The ports of the last start on this folder; empty when there was none. */
export async function readKeptPorts(
	dataDir: string,
): Promise<Partial<KeptPorts>> {
	try {
		return JSON.parse(await readFile(join(dataDir, FILE), "utf8"));
	} catch {
		return {};
	}
}

export async function keepPorts(
	dataDir: string,
	{ smpp, smscControl, cloudApi }: KeptPorts,
): Promise<void> {
	const text = JSON.stringify({ smpp, smscControl, cloudApi });
	await writeFile(join(dataDir, FILE), text);
}
