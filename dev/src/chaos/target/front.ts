import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { isOk } from "../../start/start-process.ts";

export interface Backend {
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
const CHECK_MS = 200;

export async function openFront(): Promise<Front> {
	const backends = new Map<Backend, boolean>();
	const sockets = new Set<Socket>();
	const closing = new AbortController();
	let turn = 0;

	const dial = (client: Socket, left: Backend[]): void => {
		const backend = left.shift();
		if (backend === undefined) return void client.destroy();
		const server = connect(backend.port, HOST);
		server.once("error", () => dial(client, left));
		server.once("connect", () => {
			server.removeAllListeners("error");
			join(client, server);
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
	const server = createServer({ noDelay: true }, (client) => {
		sockets.add(client);
		client.once("close", () => sockets.delete(client)).on("error", () => {});
		dial(client, inTurn());
	});
	const watch = async () => {
		while (!closing.signal.aborted) {
			for (const backend of backends.keys())
				void isOk(backend.readyUrl).then((isReady) => {
					if (backends.has(backend)) backends.set(backend, isReady);
				});
			await delay(CHECK_MS);
		}
	};
	await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
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

function join(client: Socket, server: Socket): void {
	server.setNoDelay(true);
	client.pipe(server).pipe(client);
	server.on("error", () => client.destroy());
	server.once("close", () => client.destroy());
	client.once("close", () => server.destroy());
}
