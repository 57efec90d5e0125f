import { lookup } from "node:dns/promises";
import { Server as NetServer } from "node:net";
import { waitWhile } from "@airtower/platform/runtime/waiting";
import type { Server } from "@airtower/platform/service/create-service";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import type { App } from "../routes/routes.ts";

/**
 * Time that kept-alive connections get to send one more request and be told to close, ms. Longer than clients are
 * told that an idle one stays open: who heeds that never sends on one that is being cut.
 */
const LINGER_MS = 5_000;
/** Time that running requests get in all, ms. */
const FINISH_MS = 6_000;

export async function listen(
	app: App,
	ctx: Pick<Context, "isDraining">,
	config: Pick<Config, "HTTP_HOST" | "HTTP_PORT">,
): Promise<Server> {
	// Of a name with several addresses the framework would listen on all, on all but one without its error listeners.
	const { address: host } = await lookup(config.HTTP_HOST);
	await app.listen({ host, port: config.HTTP_PORT });
	const address = app.server.address();
	if (address === null || typeof address === "string")
		throw new Error("the HTTP server has no port");
	return {
		port: address.port,
		close: () => {
			ctx.isDraining = true;
			return drain(app);
		},
	};
}

/** Closes the port, serves on the connections that exist until their next response, then cuts idle ones. */
async function drain(app: App): Promise<void> {
	// The HTTP server's own close would cut idle connections at once, one of which may be about to ask.
	NetServer.prototype.close.call(app.server);
	await waitWhile(async () => (await countConnections(app)) > 0, LINGER_MS);
	const abandon = setTimeout(() => app.server.closeAllConnections(), FINISH_MS);
	await app.close();
	clearTimeout(abandon);
}

function countConnections(app: App): Promise<number> {
	return new Promise((resolve, reject) => {
		app.server.getConnections((error, count) =>
			error === null ? resolve(count) : reject(error),
		);
	});
}
