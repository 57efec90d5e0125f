import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";
import { isFree, LOWEST_FREE_PORT } from "@airtower/platform/runtime/ports";
import { StartError } from "./system.ts";

const BLOCKS = 600;
const BLOCK_SIZE = 32;
const MAX_TRIES = 200;
const HOST = "127.0.0.1";
/** Whoever listens here may choose from the well-known ports. */
const KNOWN_GUARD = 8_100;

/** Hands out ports of 127.0.0.1 that no other system gets. */
export interface PortPicker {
	/** The preferred port when it is free, else another one. */
	pick(preferred?: number): Promise<number>;
	/** The well-known port when it is free and no other system that is starting may get it, else another one. */
	pickKnown(port: number): Promise<number>;
	/** Lets other systems have the ports again. */
	release(): void;
}

/**
 * Claims a block of ports by listening on its first: two systems that start at the same time choose
 * their ports before any process listens on them, and must not choose the same.
 */
export async function claimPorts(): Promise<PortPicker> {
	const { guard, first } = await claimBlock();
	const knownGuard = (await listen(KNOWN_GUARD))?.unref();
	const taken = new Set<number>();
	let next = first + 1;

	async function take(port: number): Promise<boolean> {
		if (taken.has(port) || !(await isFree(port))) return false;
		taken.add(port);
		return true;
	}

	async function pick(preferred?: number): Promise<number> {
		if (preferred !== undefined && (await take(preferred))) return preferred;
		while (next < first + BLOCK_SIZE) {
			const port = next++;
			if (await take(port)) return port;
		}
		throw noPort();
	}

	return {
		pick,
		pickKnown: (port) => pick(knownGuard && port),
		release: () => {
			guard.close();
			knownGuard?.close();
		},
	};
}

async function claimBlock(): Promise<{ guard: Server; first: number }> {
	for (let tries = 0; tries < MAX_TRIES; tries++) {
		const first = LOWEST_FREE_PORT + randomInt(BLOCKS) * BLOCK_SIZE;
		const guard = await listen(first);
		if (guard !== undefined) return { guard: guard.unref(), first };
	}
	throw noPort();
}

function noPort(): StartError {
	return new StartError("No free TCP port was found on 127.0.0.1.");
}

/** Undefined when the port is taken. */
function listen(port: number): Promise<Server | undefined> {
	return new Promise((resolve) => {
		const server = createServer().once("error", () => resolve(undefined));
		server.listen({ port, host: HOST, exclusive: true }, () => resolve(server));
	});
}
