import { readFileSync } from "node:fs";
import { adminSigner } from "@airtower/cli/access";
import { createClients } from "@airtower/cli/clients";
import { ADMIN } from "@airtower/platform/identity/jwk";
import { parseSigningKey } from "@airtower/platform/identity/signing-key";
import { domainErrorFrom } from "@airtower/platform/rpc/client";
import { keyFile } from "../secrets/identity-keys.ts";
import type { RpcServiceName, System } from "./system.ts";

export interface AdminAccess {
	/** File of the private key that signs the tokens of admins. */
	readonly adminKeyFile: string;
	readonly rpcUrls: Readonly<Record<RpcServiceName, string>>;
}

export type AdminClients = ReturnType<typeof createAdminClients>;

/** Clients with which an admin acts on every service and organization. */
export function createAdminClients({ adminKeyFile, rpcUrls }: AdminAccess) {
	const key = parseSigningKey(readFileSync(adminKeyFile, "utf8"));
	const signer = adminSigner(key);
	const urlOf = (service: RpcServiceName) => rpcUrls[service];
	const clients = createClients({ signer, urlOf });
	return {
		accountsAdmin: clients.accounts(),
		messaging: clients.senders(),
		messagingAdmin: clients.messaging(),
		routeRules: clients.rules(),
		receiptDoctor: clients.receiptDoctor(),
		inboundAdmin: clients.inbound(),
		optOutSettings: clients.optOutSettings(),
		webhooksAdmin: clients.webhooks(),
		whatsappAdmin: clients.whatsapp(),
	};
}

export function adminAccessOf(
	system: Pick<System, "keysDir" | "addresses">,
): AdminAccess {
	const { gateway: _, ...called } = system.addresses;
	const urls = Object.entries(called).map(([name, { rpcUrl }]) => [
		name,
		rpcUrl,
	]);
	const rpcUrls = Object.fromEntries(urls) as AdminAccess["rpcUrls"];
	return { adminKeyFile: keyFile(system.keysDir, ADMIN), rpcUrls };
}

/** Takes errors of these reasons for "there is none". */
export function unless(...reasons: string[]): (error: unknown) => undefined {
	return (error) => {
		const found = domainErrorFrom(error);
		if (found === undefined || !reasons.includes(found.reason)) throw error;
	};
}
