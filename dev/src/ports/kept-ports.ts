import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A user's own scripts and tools know the simulators by their ports. */
export interface KeptPorts {
	readonly smpp: number;
	readonly smscControl: number;
	readonly cloudApi: number;
	/** Of the operators beside the first one. */
	readonly secondSmpp: number;
	readonly secondSmscControl: number;
	readonly httpSms: number;
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
	ports: KeptPorts,
): Promise<void> {
	const { smpp, smscControl, cloudApi } = ports;
	const { secondSmpp, secondSmscControl, httpSms } = ports;
	const others = { secondSmpp, secondSmscControl, httpSms };
	const text = JSON.stringify({ smpp, smscControl, cloudApi, ...others });
	await writeFile(join(dataDir, FILE), text);
}
