import type { EventEmitter } from "node:events";
import {
	createSecureServer,
	createServer,
	type Http2SecureServer,
	type Http2Server,
	type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo } from "node:net";
import type { RpcTls } from "../tls.ts";
import type { Http2Handler } from "./handler.ts";

type Listener = Http2Server | Http2SecureServer;

const MIB = 1_048_576;
const MAX_CONNECTIONS = 1_000;
const MAX_STREAMS_PER_CONNECTION = 1_000;
const STREAM_WINDOW_BYTES = MIB;
/** So that one large batch does not wait for window updates. */
const CONNECTION_WINDOW_BYTES = 8 * MIB;
const MAX_HEADER_BYTES = 16_384;
const MAX_SESSION_MEMORY_MB = 64;
/** Must be shorter than the grace of a closing server, which waits for open handshakes. */
const TLS_HANDSHAKE_MS = 5_000;
const TCP_KEEPALIVE_MS = 30_000;

const OPTIONS = {
	settings: {
		maxConcurrentStreams: MAX_STREAMS_PER_CONNECTION,
		initialWindowSize: STREAM_WINDOW_BYTES,
		maxHeaderListSize: MAX_HEADER_BYTES,
	},
	maxSessionMemory: MAX_SESSION_MEMORY_MB,
	keepAlive: true,
	keepAliveInitialDelay: TCP_KEEPALIVE_MS,
	noDelay: true,
};

export interface Http2Listener {
	readonly port: number;
	close(graceMs: number, beforeCut: () => void): Promise<void>;
}

export async function listenHttp2(
	address: { host: string; port: number; tls: RpcTls | undefined },
	handle: Http2Handler,
): Promise<Http2Listener> {
	const server = createListener(address.tls, handle);
	server.maxConnections = MAX_CONNECTIONS;
	const sessions = trackSessions(server);
	await listen(server, address.host, address.port);
	return {
		port: (server.address() as AddressInfo).port,
		close: (graceMs, beforeCut) => close(server, sessions, graceMs, beforeCut),
	};
}

function createListener(
	tls: RpcTls | undefined,
	handle: Http2Handler,
): Listener {
	if (tls === undefined) return createServer(OPTIONS, handle);
	const mutual = tls.ca !== undefined;
	return createSecureServer(
		{
			...OPTIONS,
			...tls,
			minVersion: "TLSv1.2",
			handshakeTimeout: TLS_HANDSHAKE_MS,
			requestCert: mutual,
			rejectUnauthorized: mutual,
		},
		handle,
	);
}

function trackSessions(server: Listener): Set<ServerHttp2Session> {
	const sessions = new Set<ServerHttp2Session>();
	(server as EventEmitter).on("session", (session: ServerHttp2Session) => {
		session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
		sessions.add(session);
		session.once("close", () => sessions.delete(session));
	});
	return sessions;
}

function listen(server: Listener, host: string, port: number): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, host, () => {
			server.off("error", reject);
			resolve();
		});
	});
}

async function close(
	server: Listener,
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
