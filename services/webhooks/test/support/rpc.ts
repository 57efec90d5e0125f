import {
	type CallerRole,
	createTokenSigner,
	type TokenSigner,
} from "@airtower/platform/rpc/caller-token";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { startRpcServer } from "@airtower/platform/rpc/server";
import { parseKeyRing } from "@airtower/platform/runtime/key-ring";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { keyRingText, testKeyRing } from "@airtower/platform/testing/keys";
import { silentLog } from "@airtower/platform/testing/log";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import type { DescService } from "@bufbuild/protobuf";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import type { Context } from "../../src/context.ts";
import { rpcRoutes } from "../../src/rpc/index.ts";

/** The service's handlers behind a real RPC server. */
export interface TestRpc {
	readonly webhooks: Client<typeof WebhooksService>;
	readonly admin: Client<typeof WebhooksAdminService>;
	/** A client whose token is for one organization. */
	webhooksOf(organization: string): Client<typeof WebhooksService>;
	/** Clients without a valid token. */
	readonly strangerWebhooks: Client<typeof WebhooksService>;
	readonly strangerAdmin: Client<typeof WebhooksAdminService>;
	/** An admin client with a service's token. */
	readonly serviceAdmin: Client<typeof WebhooksAdminService>;
	close(): Promise<void>;
}

export const AUDIENCE = "webhooks";

export async function startTestRpc(ctx: Context): Promise<TestRpc> {
	const server = await startRpcServer({
		host: "127.0.0.1",
		port: 0,
		audience: AUDIENCE,
		ring: testKeyRing,
		log: silentLog,
		metrics: createMetrics(AUDIENCE),
		routes: rpcRoutes(ctx),
		isHealthy: async () => true,
	});
	const clientOf = <S extends DescService>(
		service: S,
		signer: TokenSigner,
		organization = "*",
	) =>
		testRpcClient({
			service,
			baseUrl: `http://127.0.0.1:${server.port}`,
			signer,
			audience: AUDIENCE,
			organization,
		});
	return {
		webhooks: clientOf(WebhooksService, signerOf("service")),
		admin: clientOf(WebhooksAdminService, signerOf("admin")),
		webhooksOf: (organization) =>
			clientOf(WebhooksService, signerOf("service"), organization),
		strangerWebhooks: clientOf(WebhooksService, stranger),
		strangerAdmin: clientOf(WebhooksAdminService, stranger),
		serviceAdmin: clientOf(WebhooksAdminService, signerOf("service")),
		close: () => server.close(),
	};
}

export function signerOf(role: CallerRole): TokenSigner {
	return createTokenSigner({ ring: testKeyRing, issuer: "test", role });
}

/** Signs with a key of the right name that is not the services'. */
const stranger = createTokenSigner({
	ring: parseKeyRing(keyRingText(testKeyRing.current.id)),
	issuer: "test",
	role: "admin",
});

/** Why a call was refused, in the words of the service; fails when it gave none. */
export async function refusalOf(call: Promise<unknown>): Promise<{
	reason: string;
	field: string | undefined;
	kind: string;
}> {
	const refusal = domainErrorFrom(await errorOf(call));
	if (refusal === undefined) throw new Error("No reason was given.");
	return { reason: refusal.reason, field: refusal.field, kind: refusal.kind };
}

/** The RPC code of a refused call. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
	return Code[ConnectError.from(await errorOf(call)).code];
}

function errorOf(call: Promise<unknown>): Promise<unknown> {
	return call.then(
		() => {
			throw new Error("The call was not refused.");
		},
		(error: unknown) => error,
	);
}
