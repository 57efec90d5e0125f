import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { serveRoutes } from "@airtower/platform/testing/rpc-server";
import { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import type { Context } from "../../src/context.ts";
import { rpcRoutes } from "../../src/rpc/index.ts";

/** The service's handlers behind a real RPC server. */
export interface TestRpc {
	readonly webhooks: Client<typeof WebhooksService>;
	readonly admin: Client<typeof WebhooksAdminService>;
	/** Clients whose token is for one organization. */
	webhooksOf(organization: string): Client<typeof WebhooksService>;
	adminOf(organization: string): Client<typeof WebhooksAdminService>;
	/** Clients without a valid token. */
	readonly strangerWebhooks: Client<typeof WebhooksService>;
	readonly strangerAdmin: Client<typeof WebhooksAdminService>;
	/** An admin client with a service's token. */
	readonly serviceAdmin: Client<typeof WebhooksAdminService>;
	close(): Promise<void>;
}

export async function startTestRpc(ctx: Context): Promise<TestRpc> {
	const { client, close } = await serveRoutes("webhooks", rpcRoutes(ctx));
	const stranger = { isStranger: true };
	return {
		webhooks: client(WebhooksService),
		admin: client(WebhooksAdminService),
		webhooksOf: (organization) => client(WebhooksService, { organization }),
		adminOf: (organization) => client(WebhooksAdminService, { organization }),
		strangerWebhooks: client(WebhooksService, stranger),
		strangerAdmin: client(WebhooksAdminService, stranger),
		serviceAdmin: client(WebhooksAdminService, { issuer: "gateway" }),
		close,
	};
}

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
