import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isConfirmed } from "./is-confirmed.ts";
import type { Metrics } from "./metrics.ts";

export interface OpsServerOptions {
	readonly host: string;
	readonly port: number;
	readonly metrics: Metrics;
	readonly isReady: () => Promise<boolean>;
}

export interface OpsServer {
	readonly port: number;
	close(): Promise<void>;
}

/** Serves `/live`, `/ready` (200 or 503) and `/metrics` (Prometheus text) apart from the service's traffic. */
export async function startOpsServer(
	options: OpsServerOptions,
): Promise<OpsServer> {
	const server = createServer((request, response) => {
		respond(options, request.url ?? "", response).catch(() => {
			response.writeHead(500).end();
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(options.port, options.host, resolve);
	});
	return {
		port: (server.address() as AddressInfo).port,
		close: () => closeServer(server),
	};
}

async function respond(
	options: OpsServerOptions,
	path: string,
	response: ServerResponse,
): Promise<void> {
	if (path === "/live") return sendWord(response, 200, "live");
	if (path === "/ready") {
		const ready = await isConfirmed(options.isReady);
		return sendWord(response, ready ? 200 : 503, ready ? "ready" : "not ready");
	}
	if (path !== "/metrics") return sendWord(response, 404, "not found");
	const text = await options.metrics.registry.metrics();
	response
		.writeHead(200, { "content-type": options.metrics.registry.contentType })
		.end(text);
}

function sendWord(
	response: ServerResponse,
	status: number,
	word: string,
): void {
	response.writeHead(status, { "content-type": "text/plain" }).end(`${word}\n`);
}

function closeServer(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
