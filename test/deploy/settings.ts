import { migrationSettings } from "@airtower/platform/database/migration/migration-job";
import { type Env, readConfig } from "@airtower/platform/runtime/config";
import {
	schema as accounts,
	readAccountsConfig,
} from "../../services/accounts/src/config.ts";
import {
	schema as campaigns,
	readCampaignsConfig,
} from "../../services/campaigns/src/config.ts";
import {
	schema as gateway,
	readGatewayConfig,
} from "../../services/gateway/src/config.ts";
import {
	schema as messaging,
	readMessagingConfig,
} from "../../services/messaging/src/config.ts";
import {
	readWebhooksConfig,
	schema as webhooks,
} from "../../services/webhooks/src/config.ts";
import {
	readWhatsappConfig,
	schema as whatsapp,
} from "../../services/whatsapp/src/config.ts";

/** What a program reads from its environment. */
interface Settings {
	readonly names: readonly string[];
	/** Throws ConfigError naming every bad setting. */
	read(env: Env): unknown;
}

export const serviceSettings: Readonly<Record<string, Settings>> = {
	accounts: { names: Object.keys(accounts.shape), read: readAccountsConfig },
	campaigns: { names: Object.keys(campaigns.shape), read: readCampaignsConfig },
	gateway: { names: Object.keys(gateway.shape), read: readGatewayConfig },
	messaging: { names: Object.keys(messaging.shape), read: readMessagingConfig },
	webhooks: { names: Object.keys(webhooks.shape), read: readWebhooksConfig },
	whatsapp: { names: Object.keys(whatsapp.shape), read: readWhatsappConfig },
};

/** Nothing for a program that is not there. */
export function settingsOf(
	service: string,
	file: string,
): Settings | undefined {
	const ofService = serviceSettings[service];
	if (ofService === undefined || file === "main") return ofService;
	const schema = migrationSettings(service);
	return {
		names: Object.keys(schema.shape),
		read: (env) => readConfig(schema, env),
	};
}
