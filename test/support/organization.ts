import { randomUUID } from "node:crypto";
import { readKey } from "@airtower/dev/secrets/identity-keys";
import { createTokenSigner } from "@airtower/platform/identity/caller-token";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { InboundAdminService } from "@airtower/proto/messaging/v1/inbound";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { WebhooksAdminService } from "@airtower/proto/webhooks/v1/admin";
import type { SharedSystem } from "./shared-system.ts";
import { TEST_PLAN } from "./test-system.ts";

/** Clients with the platform operator's rights. */
export function adminClients(system: SharedSystem) {
	const key = readKey(system.keysDir, "admin");
	const signer = createTokenSigner({ key, person: "test" });
	const at = (name: "accounts" | "messaging" | "webhooks") => ({
		baseUrl: system.addresses[name].rpcUrl,
		audience: name,
		signer,
	});
	return {
		accounts: testRpcClient({
			service: AccountsAdminService,
			...at("accounts"),
		}),
		messaging: testRpcClient({
			service: MessagingAdminService,
			...at("messaging"),
		}),
		inbound: testRpcClient({
			service: InboundAdminService,
			...at("messaging"),
		}),
		senders: testRpcClient({ service: MessagingService, ...at("messaging") }),
		webhooks: testRpcClient({
			service: WebhooksAdminService,
			...at("webhooks"),
		}),
	};
}

export type AdminClients = ReturnType<typeof adminClients>;

export interface TestOrganization {
	readonly id: string;
	readonly apiKey: string;
	readonly senderId: string;
	readonly senderName: string;
	/** Units granted. */
	readonly quota: number;
}

/** An organization with quota, an approved default sender and an API key with all scopes. */
export async function createOrganization(
	admin: AdminClients,
	quota: number,
	more: { readonly defaultCountry?: string } = {},
): Promise<TestOrganization> {
	const created = await admin.accounts.createOrganization({
		name: `Org ${randomUUID()}`,
		email: "owner@example.com",
		plan: TEST_PLAN,
		...more,
	});
	const id = created.organization?.id ?? "";
	await admin.accounts.grantQuota({
		organizationId: id,
		units: BigInt(quota),
		note: "opening balance",
		grantId: randomUUID(),
	});
	const senderName = "Airtower";
	const sender = await admin.senders.requestSenderId({
		organizationId: id,
		value: senderName,
	});
	const senderId = sender.senderId?.id ?? "";
	await admin.messaging.decideSenderId({
		organizationId: id,
		senderId,
		status: "approved",
	});
	const key = await admin.accounts.issueApiKey({
		organizationId: id,
		name: "test",
	});
	return { id, apiKey: key.secret, senderId, senderName, quota };
}
