import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";
import { isFree, LOWEST_FREE_PORT } from "@airtower/platform/runtime/ports";
import { StartError } from "../processes/start-error.ts";

const BLOCKS = 200;
const BLOCK_SIZE = 96;
const MAX_TRIES = 200;
const HOST = "127.0.0.1";
/** Whoever listens here may choose from the well-known ports. */
const KNOWN_GUARD = 8_100;

export interface PortPicker {
	/** Begins anew: what was picked before may be picked again. */
	forget(): void;
	pick(preferred?: number): Promise<number>;
	/** The well-known port when it is free and no other system that is starting may get it, else another one. */
	pickKnown(port: number): Promise<number>;
	release(): void;
}

/** Listens on the first port of a block: two systems that start at the same time must not choose the same ports. */
export async function claimPorts(): Promise<PortPicker> {
	const { guard, first } = await claimBlock();
	const knownGuard = await listen(KNOWN_GUARD);
	const taken = new Set<number>();

	async function pick(preferred?: number): Promise<number> {
		const block = Array.from({ length: BLOCK_SIZE }, (_, at) => first + at);
		for (const port of preferred === undefined ? block : [preferred, ...block])
			if (!taken.has(port) && (await isFree(port))) {
				taken.add(port);
				return port;
			}
		throw noPort();
	}

	return {
		forget: () => taken.clear(),
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
		if (guard !== undefined) return { guard, first };
	}
	throw noPort();
}

function noPort(): StartError {
	return new StartError("No free TCP port was found on 127.0.0.1.");
}

function listen(port: number): Promise<Server | undefined> {
	return new Promise((resolve) => {
		const server = createServer().once("error", () => resolve(undefined));
		server.listen({ port, host: HOST, exclusive: true }, () => resolve(server));
		server.unref();
	});
}
