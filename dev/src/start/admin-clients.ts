import { createRpcClient } from "@airtower/platform/rpc-client";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";

/** RPC address by service, and a token that all of them accept from the operator. */
export interface AdminAccess {
	readonly adminToken: string;
	readonly rpcUrls: Readonly<
		Record<"accounts" | "messaging" | "webhooks", string>
	>;
}

export interface AdminClients {
	readonly accounts: Client<typeof AccountsService>;
	readonly accountsAdmin: Client<typeof AccountsAdminService>;
	readonly messaging: Client<typeof MessagingService>;
	readonly messagingAdmin: Client<typeof MessagingAdminService>;
	readonly webhooksAdmin: Client<typeof WebhooksAdminService>;
}

/** Clients with which the operator acts on every service and organization. */
export function createAdminClients(access: AdminAccess): AdminClients {
	const { accounts, messaging, webhooks } = access.rpcUrls;
	const client = <S extends DescService>(service: S, baseUrl: string) =>
		createRpcClient({
			service,
			baseUrl,
			audience: "*",
			signer: { tokenFor: () => Promise.resolve(access.adminToken) },
		});
	return {
		accounts: client(AccountsService, accounts),
		accountsAdmin: client(AccountsAdminService, accounts),
		messaging: client(MessagingService, messaging),
		messagingAdmin: client(MessagingAdminService, messaging),
		webhooksAdmin: client(WebhooksAdminService, webhooks),
	};
}

/** What a running system gives its operator. */
export function adminAccessOf(system: {
	readonly adminToken: string;
	readonly addresses: Readonly<
		Record<keyof AdminAccess["rpcUrls"], { readonly rpcUrl: string }>
	>;
}): AdminAccess {
	const { accounts, messaging, webhooks } = system.addresses;
	return {
		adminToken: system.adminToken,
		rpcUrls: {
			accounts: accounts.rpcUrl,
			messaging: messaging.rpcUrl,
			webhooks: webhooks.rpcUrl,
		},
	};
}
