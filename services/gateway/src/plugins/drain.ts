import { Server as NetServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { App } from "../routes/routes.ts";

/** Time that kept-alive connections get to send one more request and be told to close, ms. */
const LINGER_MS = 1_000;
const CHECK_MS = 20;
/** Time that running requests get in all, ms. */
const FINISH_MS = 7_000;

/**
 * Stops the application without failing a request: the port is closed first; connections that exist
 * are served on, and closed by the answer to their next request; only then are idle ones cut.
 * The caller has made answers carry `connection: close` before.
 */
export async function drain(app: App): Promise<void> {
	if (app.server.listening) {
		stopListening(app);
		const deadline = performance.now() + LINGER_MS;
		while (performance.now() < deadline && (await connections(app)) > 0)
			await delay(CHECK_MS);
	}
	const cut = setTimeout(() => app.server.closeAllConnections(), FINISH_MS);
	await app.close();
	clearTimeout(cut);
}

/** The HTTP server's own close would cut idle connections at once, one of which may be about to ask. */
function stopListening(app: App): void {
	NetServer.prototype.close.call(app.server);
}

function connections(app: App): Promise<number> {
	return new Promise((resolve, reject) => {
		app.server.getConnections((error, count) =>
			error === null ? resolve(count) : reject(error),
		);
	});
}
