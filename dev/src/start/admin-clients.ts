import { createRpcClient } from "@airtower/platform/rpc/client";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { DescService } from "@bufbuild/protobuf";
import type { RpcServiceName, System } from "./system.ts";

export interface AdminAccess {
	readonly adminToken: string;
	readonly rpcUrls: Readonly<Record<RpcServiceName, string>>;
}

export type AdminClients = ReturnType<typeof createAdminClients>;

/** Longest a call may take, ms: those of a first start meet services that are still warming up. */
const CALL_TIMEOUT_MS = 30_000;

export function createAdminClients({ adminToken, rpcUrls }: AdminAccess) {
	const client = <S extends DescService>(service: S, name: RpcServiceName) =>
		createRpcClient({
			service,
			baseUrl: rpcUrls[name],
			audience: "*",
			signer: { tokenFor: () => Promise.resolve(adminToken) },
			timeoutMs: CALL_TIMEOUT_MS,
		});
	return {
		accounts: client(AccountsService, "accounts"),
		accountsAdmin: client(AccountsAdminService, "accounts"),
		messaging: client(MessagingService, "messaging"),
		messagingAdmin: client(MessagingAdminService, "messaging"),
		webhooksAdmin: client(WebhooksAdminService, "webhooks"),
		whatsapp: client(WhatsAppService, "whatsapp"),
		whatsappAdmin: client(WhatsAppAdminService, "whatsapp"),
	};
}

export function adminAccessOf(
	system: Pick<System, "adminToken" | "addresses">,
): AdminAccess {
	const { gateway: _, ...called } = system.addresses;
	const urls = Object.entries(called).map(([name, { rpcUrl }]) => [
		name,
		rpcUrl,
	]);
	const rpcUrls = Object.fromEntries(urls) as AdminAccess["rpcUrls"];
	return { adminToken: system.adminToken, rpcUrls };
}
