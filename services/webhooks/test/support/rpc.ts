import { serveRoutes } from "@airtower/platform/testing/rpc-server";
import { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import type { Client } from "@connectrpc/connect";
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
