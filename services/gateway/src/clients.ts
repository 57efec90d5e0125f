import type { ServiceBase } from "@airtower/platform/runtime/service";
import { AccountService } from "@airtower/proto/accounts/v1/account";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import { ContactsService } from "@airtower/proto/campaigns/v1/contacts";
import { Health } from "@airtower/proto/grpc/health/v1/health";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { DescService } from "@bufbuild/protobuf";
import type { Config } from "./config.ts";

/** The services that the gateway calls. */
export const serviceNames = [
	"accounts",
	"messaging",
	"whatsapp",
	"campaigns",
	"webhooks",
] as const;
export type ServiceName = (typeof serviceNames)[number];

/**
 * Longest wait for keys to be verified, ms: less than lies between the refresh of a key in use and the end of
 * its memory, so that after a call that hangs there is time for another.
 */
const AUTHENTICATE_TIMEOUT_MS = 4_000;
/**
 * Longest wait for messages to be accepted, a list, a record to be written or a webhook address to be looked up, ms:
 * above the services' own wait for the commit of a concurrent duplicate.
 */
const CALL_TIMEOUT_MS = 10_000;
const HEALTH_TIMEOUT_MS = 1_000;

export type Clients = ReturnType<typeof createClients>;

/** Opens nothing: connections are made by the first call. */
export function createClients(
	config: Pick<Config, `${Uppercase<ServiceName>}_RPC_URL`>,
	createClient: ServiceBase<Config>["client"],
	authenticateTimeoutMs = AUTHENTICATE_TIMEOUT_MS,
) {
	const client = <S extends DescService>(
		service: S,
		audience: ServiceName,
		timeoutMs = CALL_TIMEOUT_MS,
	) => {
		const name = audience.toUpperCase() as Uppercase<ServiceName>;
		const url = config[`${name}_RPC_URL`];
		return createClient(service, audience, url, timeoutMs);
	};
	return {
		accounts: client(AccountsService, "accounts", authenticateTimeoutMs),
		account: client(AccountService, "accounts"),
		messaging: client(MessagingService, "messaging"),
		webhooks: client(WebhooksService, "webhooks"),
		contacts: client(ContactsService, "campaigns"),
		campaigns: client(CampaignsService, "campaigns"),
		whatsapp: client(WhatsAppService, "whatsapp"),
		health: new Map(
			serviceNames.map((name) => [
				name,
				client(Health, name, HEALTH_TIMEOUT_MS),
			]),
		),
	};
}
