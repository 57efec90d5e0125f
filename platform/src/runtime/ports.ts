import { once } from "node:events";
import { createServer } from "node:net";

/** Below the range of outgoing connections, so that none of those takes a port before its server listens on it. */
export const LOWEST_FREE_PORT = 12_000;
const FREE_PORTS = 19_000;
const PER_PROCESS = 64;
const HOST = "127.0.0.1";

let next = process.pid * PER_PROCESS;

export async function freePort(): Promise<number> {
	for (let tries = 0; tries < FREE_PORTS; tries++) {
		const port = LOWEST_FREE_PORT + (next++ % FREE_PORTS);
		if (await isFree(port)) return port;
	}
	throw new Error(`No free TCP port was found on ${HOST}.`);
}

export async function isFree(port: number): Promise<boolean> {
	return (await portState(port)) === "free";
}

export type PortState = "free" | "taken" | "forbidden";

export async function portState(port: number): Promise<PortState> {
	const probe = createServer();
	try {
		probe.listen({ port, host: HOST, exclusive: true });
		await once(probe, "listening");
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		return code === "EACCES" ? "forbidden" : "taken";
	}
	await once(probe.close(), "close");
	return "free";
}
