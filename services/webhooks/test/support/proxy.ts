import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { Worker } from "node:worker_threads";

/** What a test ends, in this order. */
type Closers = (() => Promise<unknown>)[];

/** Where nobody listens. */
export async function closedPort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

/** Whose listener stands still and has no room for one more connection. */
export async function deafPort(closers: Closers): Promise<number> {
	const worker = new Worker(
		`
		const { parentPort } = require("node:worker_threads");
		const server = require("node:net").createServer();
		server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
			parentPort.postMessage(server.address().port);
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
		});
		`,
		{ eval: true, execArgv: [], env: {} },
	);
	closers.push(() => worker.terminate());
	const port = await new Promise<number>((resolve, reject) => {
		worker.once("message", resolve).once("error", reject);
	});
	const waiting = Array.from({ length: 4 }, () =>
		connect(port, "127.0.0.1").on("error", () => {}),
	);
	closers.unshift(async () => {
		for (const socket of waiting) socket.destroy();
	});
	await new Promise((resolve) => waiting[0]?.once("connect", resolve));
	return port;
}

interface TestProxy {
	readonly url: string;
	readonly tunnels: { readonly target: string; readonly login?: string }[];
	/** Status for each tunnel that is asked for. */
	status: number;
}

/** An HTTP proxy that opens tunnels to ports of this machine. */
export async function startProxy(
	closers: Closers,
	listenOn = 0,
): Promise<TestProxy> {
	const server = createServer();
	const sockets = new Set<Socket>();
	server.on("connect", (request: IncomingMessage, client: Socket) => {
		const { url = "", headers } = request;
		const login = headers["proxy-authorization"];
		proxy.tunnels.push({ target: url, ...(login && { login }) });
		client.on("error", () => {});
		if (proxy.status !== 200)
			return client.end(`HTTP/1.1 ${proxy.status} No\r\n\r\n`);
		const port = Number(url.slice(url.lastIndexOf(":") + 1));
		const upstream = connect(port, "127.0.0.1", () => {
			client.write("HTTP/1.1 200 OK\r\n\r\n");
			upstream.pipe(client).pipe(upstream);
		});
		upstream.on("error", () => client.destroy());
		for (const socket of [client, upstream]) sockets.add(socket);
	});
	await new Promise<void>((resolve) =>
		server.listen(listenOn, "127.0.0.1", resolve),
	);
	closers.push(async () => {
		for (const socket of sockets) socket.destroy();
		await new Promise((resolve) => server.close(resolve));
	});
	const { port } = server.address() as AddressInfo;
	const proxy: TestProxy = {
		url: `http://127.0.0.1:${port}`,
		tunnels: [],
		status: 200,
	};
	return proxy;
}
