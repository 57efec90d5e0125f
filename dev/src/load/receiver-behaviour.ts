import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/**
 * "hang" never responds, "drip" sends a byte a second, "huge" a gigabyte, "redirect" to a path of this receiver that
 * must stay empty, "gone" is 410.
 */
export type Behaviour =
	| "accept"
	| "hang"
	| "drip"
	| "huge"
	| "redirect"
	| "gone";

export const REDIRECT_TARGET = "/redirected";
const DRIP_MS = 1_000;
const CHUNK = Buffer.alloc(64 * 1_024);
const HUGE_BYTES = 1_073_741_824;

/** `count` is told of the bytes that have left. */
export async function behave(
	response: ServerResponse,
	behaviour: Behaviour,
	count: (bytes: number) => void,
): Promise<void> {
	response.on("error", () => {});
	switch (behaviour) {
		case "accept":
			response.writeHead(200).end();
			return;
		case "gone":
			response.writeHead(410).end();
			return;
		case "redirect":
			response.writeHead(302, { location: REDIRECT_TARGET }).end();
			return;
		case "hang":
			return;
		case "drip":
			response.writeHead(200, { "content-length": HUGE_BYTES });
			return stream(response, Buffer.alloc(1), () => delay(DRIP_MS), count);
		case "huge":
			response.writeHead(200, { "content-length": HUGE_BYTES });
			return stream(response, CHUNK, () => drained(response), count);
	}
}

async function stream(
	response: ServerResponse,
	chunk: Buffer,
	pause: () => Promise<unknown>,
	count: (bytes: number) => void,
): Promise<void> {
	for (let sent = 0; sent < HUGE_BYTES; sent += chunk.length) {
		if (response.destroyed) return;
		response.write(chunk);
		count(chunk.length);
		await pause();
	}
}

function drained(response: ServerResponse): Promise<unknown> {
	if (!response.writableNeedDrain) return delay(0);
	const over = new AbortController();
	const { signal } = over;
	const events = ["drain", "close", "error"].map((name) =>
		once(response, name, { signal }),
	);
	return Promise.race(events)
		.catch(() => undefined)
		.finally(() => over.abort());
}
