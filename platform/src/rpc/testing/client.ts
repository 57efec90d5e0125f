import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import type { Client } from "@connectrpc/connect";
import { expect, onTestFinished } from "vitest";
import { testRpcClient } from "../../testing/rpc-client.ts";
import { domainErrorFrom, type RpcClientOptions } from "../client.ts";
import type { RpcServer } from "../server.ts";
import {
	AUDIENCE,
	ORGANIZATION,
	startTestServer,
	type TestServerOptions,
} from "./server.ts";

type Webhooks = typeof WebhooksService;

export const request = { organizationId: ORGANIZATION, page: { limit: 1 } };

/** The gateway's client, for the organization of the tests. */
export function connectTo(
	port: number,
	options: Partial<RpcClientOptions<Webhooks>> = {},
): Client<Webhooks> {
	return testRpcClient({
		service: WebhooksService,
		baseUrl: `http://127.0.0.1:${port}`,
		audience: AUDIENCE,
		organization: ORGANIZATION,
		...options,
	});
}

export async function startServer(
	options: TestServerOptions = {},
): Promise<RpcServer> {
	const server = await startTestServer(options);
	onTestFinished(() => server.close());
	return server;
}

export async function failureOf(call: Promise<unknown>): Promise<unknown> {
	const error = await call.then(
		() => expect.fail("the call succeeded"),
		(error: unknown) => error,
	);
	return domainErrorFrom(error) ?? error;
}
