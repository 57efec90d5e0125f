import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { isOk } from "../start/start-process.ts";

export interface Backend {
	/** 127.0.0.1 when absent. */
	readonly host?: string;
	readonly port: number;
	readonly readyUrl: string;
}

/** One address before the replicas of a service, as a cluster's Service: new connections go to those that are ready. */
export interface Front {
	readonly port: number;
	add(backend: Backend): void;
	remove(backend: Backend): void;
	close(): Promise<void>;
}

const HOST = "127.0.0.1";
/** A backend that stops serves on for longer after it has said that it is not ready, ms. */
const CHECK_MS = 200;

interface FrontOptions {
	/** A free one when absent. */
	readonly port?: number;
	/** So long a connection waits for a backend that takes it, ms; default 0. */
	readonly patienceMs?: number;
}

export async function openFront({
	port = 0,
	patienceMs = 0,
}: FrontOptions = {}): Promise<Front> {
	const backends = new Map<Backend, boolean>();
	const sockets = new Set<Socket>();
	const closing = new AbortController();
	let turn = 0;

	const dial = (client: Socket, left: Backend[], until: number): void => {
		if (client.destroyed) return;
		const backend = left.shift();
		if (backend === undefined) {
			const again = () => dial(client, inTurn(), until);
			if (performance.now() < until) setTimeout(again, CHECK_MS).unref();
			else client.destroy();
			return;
		}
		const server = connect({
			...{ host: backend.host ?? HOST, port: backend.port },
			...{ allowHalfOpen: true, noDelay: true },
		});
		server.once("error", () => dial(client, left, until));
		server.once("connect", () => {
			server.removeAllListeners("error");
			if (client.destroyed) server.destroy();
			else join(client, server);
		});
	};
	const inTurn = (): Backend[] => {
		const all = [...backends].sort(([, a], [, b]) => Number(b) - Number(a));
		const ready = all.filter(([, isReady]) => isReady).length;
		const first = ready === 0 ? 0 : turn++ % ready;
		const order = all.map(([backend]) => backend);
		return [
			...order.slice(first, ready),
			...order.slice(0, first),
			...order.slice(ready),
		];
	};
	// A client that has ended its side of the connection still waits for its response.
	const options = { allowHalfOpen: true, noDelay: true };
	const server = createServer(options, (client) => {
		sockets.add(client);
		client.once("close", () => sockets.delete(client)).on("error", () => {});
		dial(client, inTurn(), performance.now() + patienceMs);
	});
	const check = async (backend: Backend) => {
		const isReady = await isOk(backend.readyUrl);
		if (backends.has(backend)) backends.set(backend, isReady);
	};
	const watch = async () => {
		while (!closing.signal.aborted) {
			// One after another for each backend: an earlier response must not come last.
			await Promise.all([...backends.keys()].map(check));
			await delay(CHECK_MS);
		}
	};
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, HOST, resolve);
	});
	void watch();
	return {
		port: (server.address() as AddressInfo).port,
		add: (backend) => void backends.set(backend, true),
		remove: (backend) => void backends.delete(backend),
		close: () => {
			closing.abort();
			for (const socket of sockets) socket.destroy();
			return new Promise((resolve) => server.close(() => resolve()));
		},
	};
}

/** What one side ends the other is told once it has all of it; an error of one cuts the other. */
function join(client: Socket, server: Socket): void {
	client.pipe(server).pipe(client);
	server.on("error", () => client.destroy());
	client.once("close", () => server.destroy());
}
