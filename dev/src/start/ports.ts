import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { StartError } from "./system.ts";

/**
 * Free ports are drawn from below the range that systems use for outgoing connections,
 * so that none of those takes a service's port while the service restarts.
 */
const LOWEST_FREE_PORT = 12_000;
const HIGHEST_FREE_PORT = 32_000;
const MAX_TRIES = 200;
const HOST = "127.0.0.1";

/** Hands out distinct ports of 127.0.0.1 on which nobody listens at this moment. */
export function createPortPicker(): (preferred?: number) => Promise<number> {
	const taken = new Set<number>();

	return async function pick(preferred) {
		let port = preferred ?? drawPort();
		for (let tries = 0; tries < MAX_TRIES; tries++) {
			if (!taken.has(port) && (await isFree(port))) {
				taken.add(port);
				return port;
			}
			port = drawPort();
		}
		throw new StartError("No free TCP port was found on 127.0.0.1.");
	};
}

/** True when a server may listen on the port of 127.0.0.1. */
export function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const probe = createServer().once("error", () => resolve(false));
		probe.listen({ port, host: HOST, exclusive: true }, () =>
			probe.close(() => resolve(true)),
		);
	});
}

function drawPort(): number {
	return randomInt(LOWEST_FREE_PORT, HIGHEST_FREE_PORT);
}
