import { createSecureServer, type Http2SecureServer } from "node:http2";
import type { TlsSource } from "../tls.ts";
import type { HttpHandler } from "./handler.ts";
import { HTTP1_OPTIONS, HTTP2_OPTIONS } from "./options.ts";

/** Must be shorter than the grace of a closing server, which waits for open handshakes. */
const TLS_HANDSHAKE_MS = 5_000;
const MIN_VERSION = "TLSv1.2";
/** How often the server asks for the current certificate, ms. */
const RENEW_EVERY_MS = 1_000;

/** `onRenewed` is called when new connections get another certificate, or authority, than those before. */
export function createSecureListener(
	tls: TlsSource,
	handle: HttpHandler,
	onRenewed: () => void,
) {
	const current = tls();
	const mutual = current.ca !== undefined;
	const server = createSecureServer(
		{
			...HTTP2_OPTIONS,
			...current,
			allowHTTP1: true,
			minVersion: MIN_VERSION,
			handshakeTimeout: TLS_HANDSHAKE_MS,
			requestCert: mutual,
			rejectUnauthorized: mutual,
		},
		handle,
	);
	Object.assign(server, HTTP1_OPTIONS);
	renew(server, tls, onRenewed);
	// Nothing can be written between the frames of a TLS session: its clients repeat what is refused in the race.
	const announceClose = () => undefined;
	return { server, http2: server, announceClose, closeHttp1: () => undefined };
}

function renew(
	server: Http2SecureServer,
	tls: TlsSource,
	onRenewed: () => void,
): void {
	let current = tls();
	const timer = setInterval(() => {
		const now = tls();
		if (now === current) return;
		current = now;
		server.setSecureContext({ ...now, minVersion: MIN_VERSION });
		onRenewed();
	}, RENEW_EVERY_MS);
	timer.unref();
	server.once("close", () => clearInterval(timer));
}
