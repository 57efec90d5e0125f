import { adminSigner } from "@airtower/cli/access";
import { createClients } from "@airtower/cli/clients";
import type { RpcServiceName, System } from "./system.ts";

export interface AdminAccess {
	/** Ring whose keys sign caller tokens. */
	readonly callerTokenKeys: string;
	readonly rpcUrls: Readonly<Record<RpcServiceName, string>>;
}

export type AdminClients = ReturnType<typeof createAdminClients>;

/** Clients with which an admin acts on every service and organization. */
export function createAdminClients({ callerTokenKeys, rpcUrls }: AdminAccess) {
	const signer = adminSigner(callerTokenKeys);
	const urlOf = (service: RpcServiceName) => rpcUrls[service];
	const clients = createClients({ signer, urlOf });
	return {
		accountsAdmin: clients.accounts(),
		messaging: clients.senders(),
		messagingAdmin: clients.messaging(),
		webhooksAdmin: clients.webhooks(),
		whatsappAdmin: clients.whatsapp(),
	};
}

export function adminAccessOf(
	system: Pick<System, "callerTokenKeys" | "addresses">,
): AdminAccess {
	const { gateway: _, ...called } = system.addresses;
	const urls = Object.entries(called).map(([name, { rpcUrl }]) => [
		name,
		rpcUrl,
	]);
	const rpcUrls = Object.fromEntries(urls) as AdminAccess["rpcUrls"];
	return { callerTokenKeys: system.callerTokenKeys, rpcUrls };
}
