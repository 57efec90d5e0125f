import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { isOk } from "../start/start-process.ts";

export interface Backend {
	/** 127.0.0.1 when absent. */
	readonly host?: string;
	readonly port: number;
	readonly readyUrl: string;
}

/** One address for all replicas of a service, like a Kubernetes Service: new connections go to those that are ready. */
export interface Balancer {
	readonly port: number;
	add(backend: Backend): void;
	remove(backend: Backend): void;
	close(): Promise<void>;
}

const HOST = "127.0.0.1";
/** Pause between two checks of a backend, ms. A backend that stops goes on serving for longer than this. */
const CHECK_MS = 200;

interface BalancerOptions {
	/** A free one when absent. */
	readonly port?: number;
	/** How long a connection waits for a backend that accepts it, ms; 0 when absent. */
	readonly patienceMs?: number;
}

export async function openBalancer({
	port = 0,
	patienceMs = 0,
}: BalancerOptions = {}): Promise<Balancer> {
	const backends = new Map<Backend, boolean>();
	const sockets = new Set<Socket>();
	const closing = new AbortController();
	let turn = 0;

	const dial = (client: Socket, left: Backend[], until: number): void => {
		if (client.destroyed) return;
		const backend = left.shift();
		if (backend === undefined) {
			const again = () => dial(client, inTurn(until), until);
			if (performance.now() < until) setTimeout(again, CHECK_MS).unref();
			else client.destroy();
			return;
		}
		const server = connect({
			host: backend.host ?? HOST,
			port: backend.port,
			allowHalfOpen: true,
			noDelay: true,
		});
		server.once("error", () => dial(client, left, until));
		server.once("connect", () => {
			server.removeAllListeners("error");
			if (client.destroyed) server.destroy();
			else join(client, server);
		});
	};
	/** The ready backends, from the next in turn on; from the time `until` on, the others after them. */
	const inTurn = (until: number): Backend[] => {
		const all = [...backends];
		const ready = all.filter(([, isReady]) => isReady);
		const first = ready.length === 0 ? 0 : turn++ % ready.length;
		// The others come last: when a backend closes its port, connections that it has not accepted are reset.
		const others =
			performance.now() < until ? [] : all.filter(([, isReady]) => !isReady);
		const order = [...ready.slice(first), ...ready.slice(0, first), ...others];
		return order.map(([backend]) => backend);
	};
	// A client that has ended its side of the connection still waits for its response.
	const options = { allowHalfOpen: true, noDelay: true };
	const server = createServer(options, (client) => {
		sockets.add(client);
		client.once("close", () => sockets.delete(client)).on("error", () => {});
		const until = performance.now() + patienceMs;
		dial(client, inTurn(until), until);
	});
	/** Sends one check at a time, so that an older response cannot replace a newer one. */
	const watch = async (backend: Backend) => {
		while (!closing.signal.aborted && backends.has(backend)) {
			const isReady = await isOk(backend.readyUrl);
			if (backends.has(backend)) backends.set(backend, isReady);
			await delay(CHECK_MS);
		}
	};
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, HOST, resolve);
	});
	return {
		port: (server.address() as AddressInfo).port,
		add: (backend) => {
			backends.set(backend, true);
			void watch(backend);
		},
		remove: (backend) => void backends.delete(backend),
		close: () => {
			closing.abort();
			for (const socket of sockets) socket.destroy();
			return new Promise((resolve) => server.close(() => resolve()));
		},
	};
}

/** When one side ends, the other is ended once it has all the data; an error of one side destroys the other. */
function join(client: Socket, server: Socket): void {
	client.pipe(server).pipe(client);
	server.on("error", () => client.destroy());
	client.once("close", () => server.destroy());
}
