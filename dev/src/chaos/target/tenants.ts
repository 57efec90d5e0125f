import type { CallbackLog } from "../../load/callback-log.ts";
import { addEndpoint } from "../../load/receiver.ts";
import type { createAdminClients } from "../../start/admin-clients.ts";
import type { DemoData } from "../../start/demo-data.ts";
import { provisionOrganization } from "../../start/provision.ts";

export interface Tenant {
	/** Short, and one system's own: it is in the keys and in the receiver's paths. */
	readonly name: string;
	readonly organizationId: string;
	readonly apiKey: string;
	/** Units granted. */
	readonly units: number;
	/** Path at the receiver of the endpoint that hears of every outcome. */
	readonly path: string;
}

export interface WhatsappTenant extends Tenant {
	readonly whatsapp: DemoData["whatsapp"];
}

export interface Tenants {
	readonly a: Tenant;
	readonly b: Tenant;
	readonly w: WhatsappTenant;
}

const UNITS = 100_000;

/** A new organization with quota, a sender, a key and an endpoint. */
export async function openTenant(
	clients: ReturnType<typeof createAdminClients>,
	baseUrl: string,
	receiver: CallbackLog,
	name: string,
	{ plan = "default", units = UNITS } = {},
): Promise<Tenant> {
	const request = { name: `Chaos ${name}`, units, sender: "Chaos" };
	const asked = { name: request.name, email: "chaos@example.com", plan };
	await clients.accountsAdmin.createOrganization(asked);
	const { organizationId, apiKey } = await provisionOrganization(
		clients,
		request,
	);
	const path = `/ok/${name}`;
	await addEndpoint({ baseUrl, apiKey }, `${receiver.url}${path}`);
	return { name, organizationId, apiKey, units, path };
}
