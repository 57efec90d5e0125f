import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** Below the range of outgoing connections, so that none of those takes a port before its server listens on it. */
const LOWEST_FREE_PORT = 12_000;
const BLOCKS = 200;
const BLOCK_SIZE = 96;
const MAX_TRIES = 200;
const HOST = "127.0.0.1";

interface PortBlock {
	readonly ports: readonly number[];
	release(): void;
}

/**
 * Ports that nobody else chooses from, nor listens on for a moment to see whether they are free: the first port of the
 * block is listened on until it is released. @throws Error when all blocks are taken
 */
export async function claimBlock(): Promise<PortBlock> {
	for (let tries = 0; tries < MAX_TRIES; tries++) {
		const first = LOWEST_FREE_PORT + randomInt(BLOCKS) * BLOCK_SIZE;
		const guard = await listen(first);
		if (guard === undefined) continue;
		const ports = Array.from(
			{ length: BLOCK_SIZE - 1 },
			(_, index) => first + 1 + index,
		);
		return { ports, release: () => guard.close() };
	}
	throw noFreePort();
}

function noFreePort(): Error {
	return new Error(`No free TCP port was found on ${HOST}.`);
}

/** Listens on a port without keeping the process alive; undefined when it is taken. */
export function listen(port: number): Promise<Server | undefined> {
	return new Promise((resolve) => {
		const server = createServer().once("error", () => resolve(undefined));
		server.listen({ port, host: HOST, exclusive: true }, () => resolve(server));
		server.unref();
	});
}

let ownBlock: Promise<PortBlock> | undefined;
let next = 0;

/** A port of this process's own block, other than the last 94 that were given. */
export async function freePort(): Promise<number> {
	ownBlock ??= claimBlock();
	const { ports } = await ownBlock;
	for (let tries = 0; tries < ports.length; tries++) {
		const port = ports[next++ % ports.length];
		if (port !== undefined && (await isFree(port))) return port;
	}
	throw noFreePort();
}

export async function isFree(port: number): Promise<boolean> {
	return (await portState(port)) === "free";
}

type PortState = "free" | "taken" | "forbidden";

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
