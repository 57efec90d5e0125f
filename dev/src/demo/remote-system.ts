import { type Env, readConfig } from "@airtower/platform/runtime/config";
import { envUrl } from "@airtower/platform/runtime/env";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { z } from "zod";
import { createAdminClients } from "../start/admin-clients.ts";
import { provisionDemo } from "../start/demo-data.ts";
import { issueApiKey } from "../start/provision.ts";
import type { DemoSystem } from "./demo-system.ts";

const serviceUrl = () => envUrl(["http:", "https:"]);

const schema = z.object({
	AIRTOWER_ADMIN_KEY_FILE: z.string(),
	ACCOUNTS_RPC_URL: serviceUrl(),
	MESSAGING_RPC_URL: serviceUrl(),
	WHATSAPP_RPC_URL: serviceUrl(),
	CAMPAIGNS_RPC_URL: serviceUrl(),
	WEBHOOKS_RPC_URL: serviceUrl(),
	CLOUD_API_URL: serviceUrl(),
	CLOUD_API_TOKEN: z.string(),
	SMSC_CONTROL_URL: serviceUrl(),
	RECEIVER_HOST: z.string(),
});

/**
 * A system that runs elsewhere, on simulators; makes the demo organization in it, with the services' addresses and the
 * admins' key from the environment. Throws ConfigError naming every setting that is missing.
 */
export async function openRemoteSystem(
	baseUrl: string,
	env: Env,
): Promise<DemoSystem> {
	const config = readConfig(schema, env);
	const access = {
		adminKeyFile: config.AIRTOWER_ADMIN_KEY_FILE,
		rpcUrls: {
			accounts: config.ACCOUNTS_RPC_URL,
			messaging: config.MESSAGING_RPC_URL,
			whatsapp: config.WHATSAPP_RPC_URL,
			campaigns: config.CAMPAIGNS_RPC_URL,
			webhooks: config.WEBHOOKS_RPC_URL,
		},
	};
	const clients = createAdminClients(access);
	const demo = await provisionDemo(clients, {
		apiKeyOf: (id) => issueApiKey(clients, id, "demo"),
		cloudApiToken: config.CLOUD_API_TOKEN,
		grantId: uuidv7(),
	});
	return {
		...demo,
		...access,
		baseUrl: `${baseUrl.replace(/\/$/, "")}/api/v1`,
		cloudApi: { url: config.CLOUD_API_URL },
		smsc: { smppUrl: "", controlUrl: config.SMSC_CONTROL_URL },
		receiverHost: config.RECEIVER_HOST,
	};
}
