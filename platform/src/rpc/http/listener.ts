import type { EventEmitter } from "node:events";
import {
	createSecureServer,
	type Http2SecureServer,
	type Http2Server,
	type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo, Server } from "node:net";
import type { RpcTls } from "../tls.ts";
import type { HttpHandler } from "./handler.ts";
import { HTTP1_OPTIONS, HTTP2_OPTIONS } from "./options.ts";
import { createPlainListener } from "./plain-listener.ts";

const MAX_CONNECTIONS = 1_000;
/** So that one large batch does not wait for window updates. */
const CONNECTION_WINDOW_BYTES = 8 * 1_048_576;
/** Must be shorter than the grace of a closing server, which waits for open handshakes. */
const TLS_HANDSHAKE_MS = 5_000;

export interface HttpListener {
	readonly port: number;
	close(graceMs: number, beforeCut: () => void): Promise<void>;
}

/** HTTP/2 and HTTP/1.1 on one port. */
export async function listenHttp(
	address: { host: string; port: number; tls: RpcTls | undefined },
	handle: HttpHandler,
): Promise<HttpListener> {
	const { server, http2, closeHttp1 } =
		address.tls === undefined
			? createPlainListener(handle)
			: createSecureListener(address.tls, handle);
	server.maxConnections = MAX_CONNECTIONS;
	const sessions = trackSessions(http2);
	await listen(server, address.host, address.port);
	return {
		port: (server.address() as AddressInfo).port,
		close: (graceMs, beforeCut) => {
			closeHttp1();
			return close(server, sessions, graceMs, beforeCut);
		},
	};
}

function createSecureListener(tls: RpcTls, handle: HttpHandler) {
	const mutual = tls.ca !== undefined;
	const server = createSecureServer(
		{
			...HTTP2_OPTIONS,
			...tls,
			allowHTTP1: true,
			minVersion: "TLSv1.2",
			handshakeTimeout: TLS_HANDSHAKE_MS,
			requestCert: mutual,
			rejectUnauthorized: mutual,
		},
		handle,
	);
	Object.assign(server, HTTP1_OPTIONS);
	return { server, http2: server, closeHttp1: () => undefined };
}
function trackSessions(
	server: Http2Server | Http2SecureServer,
): Set<ServerHttp2Session> {
	const sessions = new Set<ServerHttp2Session>();
	(server as EventEmitter).on("session", (session: ServerHttp2Session) => {
		session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
		sessions.add(session);
		session.once("close", () => sessions.delete(session));
	});
	return sessions;
}

function listen(server: Server, host: string, port: number): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, host, () => {
			server.off("error", reject);
			resolve();
		});
	});
}

async function close(
	server: Server,
	sessions: ReadonlySet<ServerHttp2Session>,
	graceMs: number,
	beforeCut: () => void,
): Promise<void> {
	const closed = new Promise<void>((resolve) => server.close(() => resolve()));
	for (const session of sessions) session.close();
	const timer = setTimeout(() => {
		beforeCut();
		for (const session of sessions) session.destroy();
	}, graceMs);
	await closed;
	clearTimeout(timer);
}
