import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import type { RpcRoute } from "../rpc/route.ts";
import { type RpcServerOptions, startRpcServer } from "../rpc/server.ts";
import { createMetrics } from "../runtime/metrics.ts";
import { testTrustedKeys } from "./identities.ts";
import { silentLog } from "./log.ts";
import { type TestCaller, testRpcClient } from "./rpc-client.ts";

export interface TestRpcServer {
	readonly url: string;
	client<S extends DescService>(service: S, caller?: TestCaller): Client<S>;
	close(): Promise<void>;
}

export async function serveRoutes(
	audience: string,
	routes: readonly RpcRoute[],
	options: Pick<RpcServerOptions, "auditDatabase"> = {},
): Promise<TestRpcServer> {
	const server = await startRpcServer({
		...options,
		host: "127.0.0.1",
		port: 0,
		audience,
		routes,
		trustedKeys: testTrustedKeys,
		log: silentLog,
		metrics: createMetrics(audience),
		isHealthy: async () => true,
	});
	const url = `http://127.0.0.1:${server.port}`;
	return {
		url,
		client: (service, caller) =>
			testRpcClient({ service, baseUrl: url, audience, ...caller }),
		close: () => server.close(),
	};
}
