import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";
import { isFree, LOWEST_FREE_PORT } from "@airtower/platform/ports";
import { StartError } from "./system.ts";

const BLOCKS = 600;
const BLOCK_SIZE = 32;
const MAX_TRIES = 200;
const HOST = "127.0.0.1";

/** Hands out ports of 127.0.0.1 that no other system gets. */
export interface PortPicker {
	/** The preferred port when it is free, else another one. */
	pick(preferred?: number): Promise<number>;
	/** Lets other systems have the ports again. */
	release(): void;
}

/**
 * Claims a block of ports by listening on its first: two systems that start at the same time choose
 * their ports before any process listens on them, and must not choose the same.
 */
export async function claimPorts(): Promise<PortPicker> {
	const { guard, first } = await claimBlock();
	const taken = new Set<number>();
	let next = first + 1;

	async function take(port: number): Promise<boolean> {
		if (taken.has(port) || !(await isFree(port))) return false;
		taken.add(port);
		return true;
	}

	return {
		pick: async (preferred) => {
			if (preferred !== undefined && (await take(preferred))) return preferred;
			while (next < first + BLOCK_SIZE) {
				const port = next++;
				if (await take(port)) return port;
			}
			throw noPort();
		},
		release: () => {
			guard.close();
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
