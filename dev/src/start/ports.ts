import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";
import {
	isFree,
	LOWEST_FREE_PORT,
	portState,
} from "@airtower/platform/runtime/ports";
import { StartError } from "../processes/start-error.ts";
import type { SystemPorts } from "./service-env.ts";
import type { SystemOptions } from "./system.ts";

const BLOCKS = 600;
const BLOCK_SIZE = 32;
const MAX_TRIES = 200;
const HOST = "127.0.0.1";
/** Whoever listens here may choose from the well-known ports. */
const KNOWN_GUARD = 8_100;

/** Where a developer expects things: taken when free and asked for. */
const RPC = {
	...{ accounts: 8101, messaging: 8102, webhooks: 8103 },
	...{ whatsapp: 8104, campaigns: 8105 },
};
const OPS = {
	...{ gateway: 8200, accounts: 8201, messaging: 8202, webhooks: 8203 },
	...{ whatsapp: 8204, campaigns: 8205, "messaging-delivery": 8206 },
};
const SIMULATORS = { smpp: 2775, smscControl: 8300, cloudApi: 8301 };

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
		pick,
		pickKnown: (port) => pick(knownGuard && port),
		release: () => {
			guard.close();
			knownGuard?.close();
		},
	};
}

/**
 * Chooses the ports of all processes before any starts: they know each other's from the beginning.
 * @throws StartError when the wanted API port is taken or forbidden
 */
export async function planPorts(
	{ httpPort, wellKnownPorts }: SystemOptions,
	{ pick, pickKnown }: PortPicker,
): Promise<SystemPorts> {
	if (httpPort !== undefined) await assertFree(httpPort, pick);
	const pickAll = async <K extends string>(ports: Record<K, number>) => {
		const picked = { ...ports };
		for (const name in ports)
			picked[name] = await (wellKnownPorts ? pickKnown(ports[name]) : pick());
		return picked;
	};
	return {
		http: await pick(httpPort),
		rpc: await pickAll(RPC),
		ops: await pickAll(OPS),
		...(await pickAll(SIMULATORS)),
	};
}

async function assertFree(port: number, pick: PortPicker["pick"]) {
	const state = await portState(port);
	if (state === "free") return;
	const why =
		state === "taken" ? "taken by another program" : "not open to this user";
	throw new StartError(
		`Port ${port} is ${why}; choose another one, for example: npm start -- --port ${await pick()}`,
	);
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

/** Undefined when the port is taken. */
function listen(port: number): Promise<Server | undefined> {
	return new Promise((resolve) => {
		const server = createServer().once("error", () => resolve(undefined));
		server.listen({ port, host: HOST, exclusive: true }, () => resolve(server));
		server.unref();
	});
}
