import { createRpcClient } from "@airtower/platform/rpc/client";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import type { RpcServiceName } from "./system.ts";

/** RPC address by service, and a token that all of them accept from the operator. */
export interface AdminAccess {
	readonly adminToken: string;
	readonly rpcUrls: Readonly<Record<RpcServiceName, string>>;
}

export interface AdminClients {
	readonly accounts: Client<typeof AccountsService>;
	readonly accountsAdmin: Client<typeof AccountsAdminService>;
	readonly messaging: Client<typeof MessagingService>;
	readonly messagingAdmin: Client<typeof MessagingAdminService>;
	readonly webhooksAdmin: Client<typeof WebhooksAdminService>;
	readonly whatsapp: Client<typeof WhatsAppService>;
	readonly whatsappAdmin: Client<typeof WhatsAppAdminService>;
}

/** Longest a call may take, ms: those of a first start meet services that are still warming up. */
const CALL_TIMEOUT_MS = 30_000;

/** Clients with which the operator acts on every service and organization. */
export function createAdminClients(access: AdminAccess): AdminClients {
	const { accounts, messaging, webhooks, whatsapp } = access.rpcUrls;
	const client = <S extends DescService>(service: S, baseUrl: string) =>
		createRpcClient({
			service,
			baseUrl,
			audience: "*",
			signer: { tokenFor: () => Promise.resolve(access.adminToken) },
			timeoutMs: CALL_TIMEOUT_MS,
		});
	return {
		accounts: client(AccountsService, accounts),
		accountsAdmin: client(AccountsAdminService, accounts),
		messaging: client(MessagingService, messaging),
		messagingAdmin: client(MessagingAdminService, messaging),
		webhooksAdmin: client(WebhooksAdminService, webhooks),
		whatsapp: client(WhatsAppService, whatsapp),
		whatsappAdmin: client(WhatsAppAdminService, whatsapp),
	};
}

/** What a running system gives its operator. */
export function adminAccessOf(system: {
	readonly adminToken: string;
	readonly addresses: Readonly<
		Record<keyof AdminAccess["rpcUrls"], { readonly rpcUrl: string }>
	>;
}): AdminAccess {
	const { accounts, messaging, whatsapp, campaigns, webhooks } =
		system.addresses;
	return {
		adminToken: system.adminToken,
		rpcUrls: {
			accounts: accounts.rpcUrl,
			messaging: messaging.rpcUrl,
			whatsapp: whatsapp.rpcUrl,
			campaigns: campaigns.rpcUrl,
			webhooks: webhooks.rpcUrl,
		},
	};
}
