import {
	type Env,
	envUrl,
	readConfig,
	serviceConfig,
} from "@airtower/platform/runtime/config";
import { z } from "zod";

const schema = z.object({
	...serviceConfig("campaigns"),
	MESSAGING_RPC_URL: envUrl(["http:", "https:"]),
});

export type Config = z.infer<typeof schema>;

/** Reads the settings of the service; throws ConfigError naming every bad one. */
export function readCampaignsConfig(env: Env): Config {
	return readConfig(schema, env);
}
