import type { EventEmitter } from "node:events";
import type {
	Http2SecureServer,
	Http2Server,
	ServerHttp2Session,
} from "node:http2";
import type { AddressInfo, Server } from "node:net";
import type { TLSSocket } from "node:tls";
import type { TlsSource } from "../tls.ts";
import type { HttpHandler } from "./handler.ts";
import { MAX_STREAMS_PER_CONNECTION } from "./options.ts";
import { createPlainListener } from "./plain-listener.ts";
import { createSecureListener } from "./secure-listener.ts";
import type { UnauthenticatedPeers } from "./unauthenticated.ts";

const MAX_CONNECTIONS = 1_000;
/** So that one large batch does not wait for window updates; an unauthenticated one has the 64 KiB of the protocol. */
const CONNECTION_WINDOW_BYTES = 8 * 1_048_576;
/** Longest wait between the two GOAWAYs of a session that closes. */
const ROUND_TRIP_MS = 5_000;

interface HttpListener {
	readonly port: number;
	close(graceMs: number, beforeCut: () => void): Promise<void>;
}

/** HTTP/2 and HTTP/1.1 on one port. */
export async function listenHttp(
	address: { host: string; port: number; tls: TlsSource | undefined },
	unauthenticated: UnauthenticatedPeers,
	handle: HttpHandler,
): Promise<HttpListener> {
	const sessions = new Set<ServerHttp2Session>();
	const closeSessions = () => {
		for (const session of sessions) session.close();
	};
	const { server, http2, announceClose, closeHttp1 } =
		address.tls === undefined
			? createPlainListener(handle)
			: createSecureListener(address.tls, handle, closeSessions);
	server.maxConnections = MAX_CONNECTIONS;
	server.on("connection", unauthenticated.add);
	server.on("secureConnection", (socket: TLSSocket) => {
		if (socket.authorized) unauthenticated.know(socket);
	});
	trackSessions(http2, sessions, unauthenticated);
	await listen(server, address.host, address.port);
	return {
		port: (server.address() as AddressInfo).port,
		close: (graceMs, beforeCut) => {
			closeHttp1();
			announceClose();
			return close(server, sessions, graceMs, beforeCut);
		},
	};
}

function trackSessions(
	server: Http2Server | Http2SecureServer,
	sessions: Set<ServerHttp2Session>,
	unauthenticated: UnauthenticatedPeers,
): void {
	(server as EventEmitter).on("session", (session: ServerHttp2Session) => {
		unauthenticated.whenKnown(session.socket, () => {
			if (session.destroyed) return;
			session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
			session.settings({ maxConcurrentStreams: MAX_STREAMS_PER_CONNECTION });
		});
		sessions.add(session);
		session.once("close", () => sessions.delete(session));
	});
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
	for (const session of sessions) closeAfterRoundTrip(session);
	const timer = setTimeout(() => {
		beforeCut();
		for (const session of sessions) session.destroy();
	}, graceMs);
	await closed;
	clearTimeout(timer);
}

/** By then what was opened before the client knew has come. A peer that does not respond is cut with the others. */
function closeAfterRoundTrip(session: ServerHttp2Session): void {
	if (session.destroyed) return;
	const close = () => session.close();
	const timer = setTimeout(close, ROUND_TRIP_MS);
	session.ping(() => {
		clearTimeout(timer);
		close();
	});
}
