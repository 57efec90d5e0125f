import {
	type Env,
	readConfig,
	serviceConfig,
} from "@airtower/platform/runtime/config";
import { envInt, envRpcUrl } from "@airtower/platform/runtime/env";
import { z } from "zod";

export const schema = z.object({
	...serviceConfig("campaigns"),
	MESSAGING_RPC_URL: envRpcUrl(),
	CAMPAIGN_QUOTA_SHARE_PERCENT: envInt(1, 100).default(50),
	MAX_CONTACTS: envInt(1, 10_000_000).default(100_000),
	MAX_OPEN_CAMPAIGNS: envInt(1, 10_000).default(100),
	BODY_RETENTION_DAYS: envInt(0, 3_650).default(30),
	RECORD_RETENTION_MONTHS: envInt(1, 240).default(13),
});

export type Config = z.infer<typeof schema>;

/** Reads the settings of the service; throws ConfigError naming every bad one. */
export function readCampaignsConfig(env: Env): Config {
	return readConfig(schema, env);
}
