import { createRpcClient } from "@airtower/platform/rpc/client";
import { AccountService } from "@airtower/proto/accounts/v1/account";
import { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { DeadLetterService } from "@airtower/proto/ops/v1/dead_letters";
import { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import type { Access, AdminService } from "./access.ts";

/** Clients with the operator's rights, each dialled when a command first uses it. */
export interface AdminClients {
	readonly accounts: Client<typeof AccountsAdminService>;
	readonly messaging: Client<typeof MessagingAdminService>;
	readonly keys: Client<typeof AccountService>;
	readonly senders: Client<typeof MessagingService>;
	readonly campaigns: Client<typeof CampaignsService>;
	readonly endpoints: Client<typeof WebhooksService>;
	readonly whatsapp: Client<typeof WhatsAppAdminService>;
	readonly webhooks: Client<typeof WebhooksAdminService>;
	deadLettersOf(service: AdminService): Client<typeof DeadLetterService>;
}

/** Longest a command may take, ms: a provider or a long redrive may be behind it. */
const CALL_TIMEOUT_MS = 60_000;

export function createClients(access: Access): AdminClients {
	const client = <S extends DescService>(service: S, at: AdminService) =>
		createRpcClient({
			service,
			baseUrl: access.urlOf(at),
			audience: at,
			signer: { tokenFor: () => Promise.resolve(access.adminToken) },
			timeoutMs: CALL_TIMEOUT_MS,
			tls: access.tls,
		});
	return {
		get accounts() {
			return client(AccountsAdminService, "accounts");
		},
		get messaging() {
			return client(MessagingAdminService, "messaging");
		},
		get senders() {
			return client(MessagingService, "messaging");
		},
		get keys() {
			return client(AccountService, "accounts");
		},
		get campaigns() {
			return client(CampaignsService, "campaigns");
		},
		get endpoints() {
			return client(WebhooksService, "webhooks");
		},
		get whatsapp() {
			return client(WhatsAppAdminService, "whatsapp");
		},
		get webhooks() {
			return client(WebhooksAdminService, "webhooks");
		},
		deadLettersOf: (service) => client(DeadLetterService, service),
	};
}
