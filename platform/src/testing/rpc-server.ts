import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { type CallerRole, createTokenSigner } from "../rpc/caller-token.ts";
import { createRpcClient } from "../rpc/client.ts";
import type { RpcRoute } from "../rpc/route.ts";
import { startRpcServer } from "../rpc/server.ts";
import { createMetrics } from "../runtime/metrics.ts";
import { testKeyRing } from "./keys.ts";
import { silentLog } from "./log.ts";

/** Longer than a busy machine takes, milliseconds: only a test of deadlines is about them. */
const CALL_TIMEOUT_MS = 30_000;

export interface TestCaller {
	/** Default "*". */
	readonly organization?: string;
	/** Default "service". */
	readonly role?: CallerRole;
}

export interface TestRpcServer {
	readonly url: string;
	client<S extends DescService>(service: S, caller?: TestCaller): Client<S>;
	close(): Promise<void>;
}

/** Serves the routes of a service on a free port of 127.0.0.1, for callers with tokens of the tests' key ring. */
export async function serveRoutes(
	audience: string,
	routes: readonly RpcRoute[],
): Promise<TestRpcServer> {
	const server = await startRpcServer({
		...{ host: "127.0.0.1", port: 0, audience, routes },
		ring: testKeyRing,
		log: silentLog,
		metrics: createMetrics(audience),
		isHealthy: async () => true,
	});
	const url = `http://127.0.0.1:${server.port}`;
	return {
		url,
		client: (service, { organization = "*", role = "service" } = {}) =>
			createRpcClient({
				...{ service, baseUrl: url, audience, organization },
				signer: createTokenSigner({ ring: testKeyRing, issuer: "test", role }),
				timeoutMs: CALL_TIMEOUT_MS,
			}),
		close: () => server.close(),
	};
}
