import { onTestFinished } from "vitest";
import { createLogger } from "../../runtime/log.ts";
import { createMetrics } from "../../runtime/metrics.ts";
import { testKeyRing } from "../../testing/keys.ts";
import { mintToken } from "../caller-token.ts";
import {
	AUDIENCE,
	ORGANIZATION,
	startTestServer,
	type TestServerOptions,
} from "./server.ts";
import {
	type Message,
	type StockCallOptions,
	stockGrpc,
} from "./stock-grpc.ts";

export const SERVICE = "airtower.webhooks.v1.WebhooksService";
export const valid = { organizationId: ORGANIZATION, page: { limit: 1 } };
export const token = await mintToken({
	ring: testKeyRing,
	issuer: "gateway",
	audience: AUDIENCE,
	organization: "*",
	role: "service",
	lifetimeSeconds: 600,
});

/** A test server with a stock client, its log lines and its metrics; closed with the test. */
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
	onTestFinished(async () => {
		grpc.close();
		await server.close();
	});
	const list = (
		request: Message = valid,
		call: Partial<StockCallOptions> = {},
	) => grpc.unary(`${SERVICE}/ListEndpoints`, request, { token, ...call });
	return { server, grpc, list, lines, metrics };
}
