import {
	createServer,
	type IncomingHttpHeaders,
	type RequestListener,
	type Server,
	type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

interface Received {
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
	readonly path: string;
	/** Milliseconds since the epoch. */
	readonly at: number;
}

/** A customer's HTTP server on loopback; its log of requests is the oracle of the tests. */
export interface Receiver {
	readonly port: number;
	/** URL of its hook on 127.0.0.1. */
	readonly url: string;
	readonly received: Received[];
	/** Connections accepted so far. */
	connections(): number;
	/** Connections that are open now. */
	open(): Promise<number>;
	/** Responds to requests once their body is read; with 200 and a short body at first. */
	respond: (response: ServerResponse, request: Received) => void;
	close(): Promise<void>;
}

interface TlsFiles {
	readonly cert: string;
	readonly key: string;
}

/** Starts a receiver, over TLS when files are given. */
export async function startReceiver(tls?: TlsFiles): Promise<Receiver> {
	let connections = 0;
	const listener: RequestListener = (request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			const entry = {
				headers: request.headers,
				body: Buffer.concat(chunks).toString(),
				path: request.url ?? "",
				at: Date.now(),
			};
			receiver.received.push(entry);
			receiver.respond(response, entry);
		});
	};
	const server =
		tls === undefined
			? createServer(listener)
			: createTlsServer({ ...tls }, listener);
	server.on("connection", () => connections++);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const receiver: Receiver = {
		port,
		url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}/hook`,
		received: [],
		connections: () => connections,
		open: () => openConnections(server),
		respond: (response) => response.writeHead(200).end("thanks"),
		close: () => closeServer(server),
	};
	return receiver;
}

function openConnections(server: Server): Promise<number> {
	return new Promise((resolve, reject) => {
		server.getConnections((error, count) =>
			error ? reject(error) : resolve(count),
		);
	});
}

function closeServer(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
