import {
	type Env,
	envInt,
	envRpcUrl,
	readConfig,
	serviceConfig,
} from "@airtower/platform/runtime/config";
import { z } from "zod";

export const schema = z.object({
	...serviceConfig("campaigns"),
	MESSAGING_RPC_URL: envRpcUrl(),
	CAMPAIGN_QUOTA_SHARE_PERCENT: envInt(1, 100).default(50),
	BODY_RETENTION_DAYS: envInt(0, 3_650).default(30),
	RECORD_RETENTION_MONTHS: envInt(1, 240).default(13),
});

export type Config = z.infer<typeof schema>;

/** Reads the settings of the service; throws ConfigError naming every bad one. */
export function readCampaignsConfig(env: Env): Config {
	return readConfig(schema, env);
}
