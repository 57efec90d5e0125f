import {
	createServer,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { isConfirmed } from "./is-confirmed.ts";
import { type Metrics, writeMetrics } from "./metrics.ts";

interface OpsServerOptions {
	readonly host: string;
	readonly port: number;
	readonly metrics: Metrics;
	readonly isReady: () => Promise<boolean>;
}

interface OpsServer {
	readonly port: number;
	close(): Promise<void>;
}

/** Serves `/live`, `/ready` (200 or 503) and `/metrics` (Prometheus text, or OpenMetrics) on a port of its own. */
export async function startOpsServer(
	options: OpsServerOptions,
): Promise<OpsServer> {
	const server = createServer((request, response) => {
		respond(options, request, response).catch(() => {
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
	{ url: path = "", headers }: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	if (path === "/live") return sendWord(response, 200, "live");
	if (path === "/ready") {
		const ready = await isConfirmed(options.isReady);
		return sendWord(response, ready ? 200 : 503, ready ? "ready" : "not ready");
	}
	if (path !== "/metrics") return sendWord(response, 404, "not found");
	const { contentType, text } = await writeMetrics(
		options.metrics,
		headers.accept,
	);
	response.writeHead(200, { "content-type": contentType }).end(text);
}

function sendWord(
	response: ServerResponse,
	status: number,
	text: string,
): void {
	response.writeHead(status, { "content-type": "text/plain" }).end(`${text}\n`);
}

function closeServer(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
