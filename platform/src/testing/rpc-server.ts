import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { recordUnrecorded } from "../audit/record-unrecorded.ts";
import type { Db } from "../database/database.ts";
import type { RpcRoute } from "../rpc/route.ts";
import { startRpcServer } from "../rpc/server.ts";
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
	{ auditDatabase }: { readonly auditDatabase?: Db } = {},
): Promise<TestRpcServer> {
	const services = routes.map(({ service }) => service);
	const server = await startRpcServer({
		interceptors: auditDatabase
			? [recordUnrecorded(auditDatabase, services)]
			: [],
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
