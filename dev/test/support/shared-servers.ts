import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that was started for all test files. */
export interface SharedServer {
	/** What a test file must know of it; plain data. */
	readonly facts: object;
	stop(): Promise<void>;
}

/** Starts each server when the first test file asks for it. */
export async function offerSharedServers(
	starters: Readonly<Record<string, () => Promise<SharedServer>>>,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
	const started = new Map<string, Promise<SharedServer>>();
	const listener = createServer((request, response) => {
		const name = request.url?.slice(1) ?? "";
		const server = started.get(name) ?? starters[name]?.();
		if (server !== undefined) started.set(name, server);
		Promise.resolve(server).then(
			(server) => response.end(JSON.stringify(server?.facts ?? null)),
			(error) => response.writeHead(500).end(String(error)),
		);
	});
	listener.listen(0, "127.0.0.1");
	await once(listener, "listening");
	const { port } = listener.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		stop: async () => {
			listener.close();
			listener.closeAllConnections();
			const servers = await Promise.allSettled(started.values());
			for (const server of servers)
				if (server.status === "fulfilled") await server.value.stop();
		},
	};
}
