import type { ServiceBase } from "@airtower/platform/service/service-base";
import { AccountService } from "@airtower/proto/accounts/v1/account";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import { ContactsService } from "@airtower/proto/campaigns/v1/contacts";
import { Health } from "@airtower/proto/grpc/health/v1/health";
import { InboundService } from "@airtower/proto/messaging/v1/inbound";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { OptOutService } from "@airtower/proto/messaging/v1/opt_outs";
import { QuietHoursService } from "@airtower/proto/messaging/v1/quiet_hours";
import { AuditService } from "@airtower/proto/ops/v1/audit";
import { BacklogService } from "@airtower/proto/ops/v1/backlog";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { DescService } from "@bufbuild/protobuf";
import type { Config } from "./config.ts";

export const serviceNames = [
	"accounts",
	"messaging",
	"whatsapp",
	"campaigns",
	"webhooks",
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Services with work that follows a request. */
export const workingNames = ["messaging", "whatsapp", "webhooks"] as const;
export type WorkingName = (typeof workingNames)[number];

/** Longest wait for a look-up of keys, ms. A second one without a response still ends before other calls would. */
const AUTHENTICATE_TIMEOUT_MS = 4_000;
/** Longest wait for any other call, ms: above the services' own wait for the commit of a concurrent duplicate. */
const CALL_TIMEOUT_MS = 10_000;
const HEALTH_TIMEOUT_MS = 900;

export type Clients = ReturnType<typeof createClients>;

/** Opens nothing: connections are made by the first call. */
export function createClients(
	urlOf: (service: ServiceName) => string,
	createClient: ServiceBase<Config>["client"],
	authenticateTimeoutMs = AUTHENTICATE_TIMEOUT_MS,
) {
	const client = <S extends DescService>(
		service: S,
		audience: ServiceName,
		timeoutMs = CALL_TIMEOUT_MS,
	) => createClient(service, audience, urlOf(audience), timeoutMs);
	const health = serviceNames.map(
		(name) => [name, client(Health, name, HEALTH_TIMEOUT_MS)] as const,
	);
	const backlogs = workingNames.map(
		(name) => [name, client(BacklogService, name, HEALTH_TIMEOUT_MS)] as const,
	);
	return {
		accounts: client(AccountsService, "accounts", authenticateTimeoutMs),
		account: client(AccountService, "accounts"),
		messaging: client(MessagingService, "messaging"),
		inbound: client(InboundService, "messaging"),
		optOuts: client(OptOutService, "messaging"),
		quietHours: client(QuietHoursService, "messaging"),
		webhooks: client(WebhooksService, "webhooks"),
		contacts: client(ContactsService, "campaigns"),
		campaigns: client(CampaignsService, "campaigns"),
		whatsapp: client(WhatsAppService, "whatsapp"),
		/** Every service keeps the audit of its own acts. */
		audits: serviceNames.map((name) => client(AuditService, name)),
		health: new Map(health),
		backlogs: new Map(backlogs),
	};
}
