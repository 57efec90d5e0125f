import { callApi } from "../demo/public-api.ts";
import { loadSecrets, saveSecrets } from "../secrets/secrets-file.ts";
import {
	type AdminClients,
	adminAccessOf,
	createAdminClients,
} from "./admin-clients.ts";
import {
	ensureOrganization,
	ensureSender,
	ensureWhatsappNumber,
	grantQuota,
	issueApiKey,
} from "./provision.ts";
import { cloudApiNumber } from "./simulators.ts";
import type { System } from "./system.ts";

export interface DemoData {
	readonly organizationId: string;
	readonly apiKey: string;
	readonly sender: string;
	readonly whatsapp: {
		readonly phoneNumberId: string;
		readonly template: Readonly<
			Record<"name" | "language" | "category", string>
		> & { readonly parameters: readonly string[] };
	};
}

const ORGANIZATION = "Demo";
const SENDER = "Airtower";
const FIRST_QUOTA = 10_000;
/** The one in the examples of the API's reference. */
const PHONE_NUMBER_ID = "0199b0a7-3e4f-7051-8c6d-7e8f9a0b1c2d";
const TEMPLATE = {
	name: "order_update",
	language: "en_US",
	category: "utility",
	parameters: ["Ada", "1042"],
};

/** Makes what is missing of the demo organization; a second start finds it all and shows the same key. */
export async function ensureDemoData(system: System): Promise<DemoData> {
	const clients = createAdminClients(adminAccessOf(system));
	const { demo } = await loadSecrets(system.dataDir);
	return provisionDemo(clients, {
		apiKeyOf: (id) => ensureApiKey(system, clients, id),
		cloudApiToken: system.cloudApiToken,
		grantId: demo.grantId,
	});
}

interface DemoOrder {
	readonly apiKeyOf: (organizationId: string) => Promise<string>;
	/** What the Cloud API look-alike takes. */
	readonly cloudApiToken: string;
	/** A grant counts once. */
	readonly grantId: string;
}

/** Makes what is missing of the demo organization. */
export async function provisionDemo(
	clients: AdminClients,
	{ apiKeyOf, cloudApiToken, grantId }: DemoOrder,
): Promise<DemoData> {
	const organizationId = await ensureOrganization(clients, ORGANIZATION);
	const [apiKey, phoneNumberId] = await Promise.all([
		apiKeyOf(organizationId),
		ensureWhatsappNumber(clients, organizationId, {
			...cloudApiNumber,
			accessToken: cloudApiToken,
			phoneNumberId: PHONE_NUMBER_ID,
		}),
		ensureSender(clients, organizationId, SENDER),
		grantQuota(clients, organizationId, FIRST_QUOTA, grantId),
	]);
	return {
		organizationId,
		apiKey,
		sender: SENDER,
		whatsapp: { phoneNumberId, template: TEMPLATE },
	};
}

/** The kept key may be of another database, or revoked: then a new one takes its place. */
async function ensureApiKey(
	{ baseUrl, dataDir }: System,
	clients: AdminClients,
	organizationId: string,
): Promise<string> {
	const secrets = await loadSecrets(dataDir);
	const kept = secrets.demo.apiKey;
	if (kept !== undefined && (await isValid(baseUrl, kept))) return kept;
	const apiKey = await issueApiKey(clients, organizationId, "demo");
	await saveSecrets(dataDir, { ...secrets, demo: { ...secrets.demo, apiKey } });
	return apiKey;
}

function isValid(baseUrl: string, apiKey: string): Promise<boolean> {
	return callApi({ baseUrl, apiKey }, "GET", "/account").then(
		() => true,
		({ message }: Error) => !message.startsWith("401 "),
	);
}
