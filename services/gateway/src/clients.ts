import type { TokenSigner } from "@airtower/platform/rpc/caller-token";
import { createRpcClient } from "@airtower/platform/rpc/client";
import type { RpcTls } from "@airtower/platform/rpc/tls";
import { AccountService } from "@airtower/proto/accounts/v1/account";
import { AccountsService } from "@airtower/proto/accounts/v1/accounts";
import { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import { ContactsService } from "@airtower/proto/campaigns/v1/contacts";
import { Health } from "@airtower/proto/grpc/health/v1/health";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { WebhooksService } from "@airtower/proto/webhooks/v1/webhooks";
import { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { DescService } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";

/** The services that the gateway calls. */
export const serviceNames = [
	"accounts",
	"messaging",
	"whatsapp",
	"campaigns",
	"webhooks",
] as const;
export type ServiceName = (typeof serviceNames)[number];

export interface Clients {
	readonly accounts: Client<typeof AccountsService>;
	readonly account: Client<typeof AccountService>;
	readonly contacts: Client<typeof ContactsService>;
	readonly campaigns: Client<typeof CampaignsService>;
	readonly whatsapp: Client<typeof WhatsAppService>;
	readonly messaging: Client<typeof MessagingService>;
	readonly webhooks: Client<typeof WebhooksService>;
	readonly health: Readonly<Record<ServiceName, Client<typeof Health>>>;
}

export interface ClientOptions {
	readonly urls: Readonly<Record<ServiceName, string>>;
	readonly signer: TokenSigner;
	readonly tls?: RpcTls | undefined;
	/** Longest wait for keys to be verified, ms; 4,000 by default. */
	readonly authenticateTimeoutMs?: number | undefined;
}

/**
 * Longest wait for keys to be verified, ms: less than lies between the refresh of a key in use and the end of
 * its memory, so that after a call that hangs there is time for another.
 */
const AUTHENTICATE_TIMEOUT_MS = 4_000;
/** Longest wait for a batch of messages, ms: above messaging's own wait for a twin's commit. */
const SEND_TIMEOUT_MS = 10_000;
/** Longest wait for calls that a webhook address is looked up in, ms. */
const WEBHOOKS_TIMEOUT_MS = 10_000;
/** Longest wait for a list, or for one record to be written, ms. */
const RECORDS_TIMEOUT_MS = 10_000;
const HEALTH_TIMEOUT_MS = 1_000;

/** Opens nothing: connections are made by the first call. */
export function createClients({
	urls,
	signer,
	tls,
	authenticateTimeoutMs = AUTHENTICATE_TIMEOUT_MS,
}: ClientOptions): Clients {
	const client = <S extends DescService>(
		service: S,
		audience: ServiceName,
		timeoutMs: number,
	): Client<S> =>
		createRpcClient({
			service,
			baseUrl: urls[audience],
			signer,
			audience,
			timeoutMs,
			tls,
		});
	return {
		accounts: client(AccountsService, "accounts", authenticateTimeoutMs),
		messaging: client(MessagingService, "messaging", SEND_TIMEOUT_MS),
		webhooks: client(WebhooksService, "webhooks", WEBHOOKS_TIMEOUT_MS),
		account: client(AccountService, "accounts", RECORDS_TIMEOUT_MS),
		contacts: client(ContactsService, "campaigns", RECORDS_TIMEOUT_MS),
		campaigns: client(CampaignsService, "campaigns", RECORDS_TIMEOUT_MS),
		whatsapp: client(WhatsAppService, "whatsapp", SEND_TIMEOUT_MS),
		health: {
			accounts: client(Health, "accounts", HEALTH_TIMEOUT_MS),
			messaging: client(Health, "messaging", HEALTH_TIMEOUT_MS),
			whatsapp: client(Health, "whatsapp", HEALTH_TIMEOUT_MS),
			campaigns: client(Health, "campaigns", HEALTH_TIMEOUT_MS),
			webhooks: client(Health, "webhooks", HEALTH_TIMEOUT_MS),
		},
	};
}
