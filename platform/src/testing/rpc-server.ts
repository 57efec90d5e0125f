import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import { type CallerRole, createTokenSigner } from "../rpc/caller-token.ts";
import type { RpcRoute } from "../rpc/route.ts";
import { type RpcServerOptions, startRpcServer } from "../rpc/server.ts";
import { parseKeyRing } from "../runtime/key-ring.ts";
import { createMetrics } from "../runtime/metrics.ts";
import { keyRingText, testKeyRing } from "./keys.ts";
import { silentLog } from "./log.ts";
import { testRpcClient } from "./rpc-client.ts";

export interface TestCaller {
	readonly organization?: string;
	readonly role?: CallerRole;
	/** Signs with a key of the right name that is not the services'. */
	readonly isStranger?: boolean;
}

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
		...{ host: "127.0.0.1", port: 0, audience, routes },
		ring: testKeyRing,
		log: silentLog,
		metrics: createMetrics(audience),
		isHealthy: async () => true,
	});
	const url = `http://127.0.0.1:${server.port}`;
	return {
		url,
		client: (service, { organization = "*", ...caller } = {}) =>
			testRpcClient({
				...{ service, baseUrl: url, audience, organization },
				signer: signerOf(caller),
			}),
		close: () => server.close(),
	};
}

function signerOf({ role = "service", isStranger = false }: TestCaller) {
	const ring = isStranger
		? parseKeyRing(keyRingText(testKeyRing.current.id))
		: testKeyRing;
	return createTokenSigner({ ring, issuer: "test", role });
}
