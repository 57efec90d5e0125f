import { onTestFinished } from "vitest";
import { mintToken } from "../../identity/caller-token.ts";
import { createLogger } from "../../runtime/log.ts";
import { createMetrics } from "../../runtime/metrics.ts";
import { testKey } from "../../testing/identities.ts";
import {
	AUDIENCE,
	ORGANIZATION,
	startTestServer,
	type TestServerOptions,
} from "./server.ts";
import { type StockCallOptions, stockGrpc } from "./stock-grpc.ts";
import type { Message } from "./stock-methods.ts";

export const SERVICE = "airtower.webhooks.v1.WebhooksService";
export const valid = { organizationId: ORGANIZATION, page: { limit: 1 } };
/** Of now: it lives for ten minutes, and all files of a run share this module. */
export const mintTestToken = () =>
	mintToken({
		key: testKey("gateway"),
		audience: AUDIENCE,
		organization: ORGANIZATION,
		lifetimeSeconds: 600,
	});

export async function startLoggedServer(options: TestServerOptions = {}) {
	const lines: Message[] = [];
	const metrics = createMetrics("test");
	const server = await startTestServer({
		log: createLogger({
			service: "test",
			level: "info",
			destination: { write: (line) => lines.push(JSON.parse(line)) },
		}),
		metrics,
		...options,
	});
	const grpc = stockGrpc(server.port);
	onTestFinished(() => server.close());
	onTestFinished(() => grpc.close());
	const token = await mintTestToken();
	const list = (request: Message = valid, call: StockCallOptions = {}) =>
		grpc.unary(`${SERVICE}/ListEndpoints`, request, { token, ...call });
	return { server, grpc, list, lines, metrics };
}
