import {
	type Env,
	envInt,
	envUrl,
	readConfig,
	serviceConfig,
} from "@airtower/platform/runtime/config";
import { z } from "zod";

const schema = z.object({
	...serviceConfig("campaigns"),
	MESSAGING_RPC_URL: envUrl(["http:", "https:"]),
	CAMPAIGN_QUOTA_SHARE_PERCENT: envInt(1, 100).default(50),
});

export type Config = z.infer<typeof schema>;

/** Reads the settings of the service; throws ConfigError naming every bad one. */
export function readCampaignsConfig(env: Env): Config {
	return readConfig(schema, env);
}
