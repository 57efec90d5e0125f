import { createRpcClient } from "@airtower/platform/rpc/client";
import { AccountService } from "@airtower/proto/accounts/v1/account";
import { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { InboundAdminService } from "@airtower/proto/messaging/v1/inbound";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import {
	OptOutAdminService,
	OptOutService,
} from "@airtower/proto/messaging/v1/opt_outs";
import { QuietHoursService } from "@airtower/proto/messaging/v1/quiet_hours";
import { ReceiptDoctorService } from "@airtower/proto/messaging/v1/receipt_doctor";
import { RouteRuleService } from "@airtower/proto/messaging/v1/route_rules";
import { AuditService } from "@airtower/proto/ops/v1/audit";
import { DeadLetterService } from "@airtower/proto/ops/v1/dead_letters";
import { PrivacyService } from "@airtower/proto/ops/v1/privacy";
import { SecretsService } from "@airtower/proto/ops/v1/secrets";
import { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import type { Access, AdminService } from "./access.ts";

/** Longest a command may take, ms: a provider or a long redrive may be behind it. */
const CALL_TIMEOUT_MS = 60_000;

export type AdminClients = ReturnType<typeof createClients>;

/** A service's address is looked up when a command asks for its client: it needs no others. */
export function createClients(access: Access) {
	const clientOf =
		<S extends DescService>(at: AdminService, service: S) =>
		(): Client<S> =>
			createRpcClient({
				service,
				baseUrl: access.urlOf(at),
				audience: at,
				signer: access.signer,
				timeoutMs: CALL_TIMEOUT_MS,
				tls: access.tls,
			});
	return {
		accounts: clientOf("accounts", AccountsAdminService),
		keys: clientOf("accounts", AccountService),
		messaging: clientOf("messaging", MessagingAdminService),
		senders: clientOf("messaging", MessagingService),
		optOuts: clientOf("messaging", OptOutService),
		optOutSettings: clientOf("messaging", OptOutAdminService),
		quietHours: clientOf("messaging", QuietHoursService),
		rules: clientOf("messaging", RouteRuleService),
		inbound: clientOf("messaging", InboundAdminService),
		receiptDoctor: clientOf("messaging", ReceiptDoctorService),
		campaigns: clientOf("campaigns", CampaignsService),
		endpoints: clientOf("webhooks", WebhooksService),
		webhooks: clientOf("webhooks", WebhooksAdminService),
		whatsapp: clientOf("whatsapp", WhatsAppAdminService),
		privacyOf: (at: AdminService) => clientOf(at, PrivacyService)(),
		auditOf: (at: AdminService) => clientOf(at, AuditService)(),
		deadLettersOf: (at: AdminService) => clientOf(at, DeadLetterService)(),
		secretsOf: (at: AdminService) => clientOf(at, SecretsService)(),
	};
}
