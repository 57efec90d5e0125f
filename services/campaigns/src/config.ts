import {
	baseServiceConfig,
	type Env,
	envUrl,
	readConfig,
} from "@airtower/platform/runtime/config";
import { z } from "zod";

const schema = z.object({
	...baseServiceConfig,
	DATABASE_SCHEMA: z
		.string()
		.regex(/^[a-z_][a-z0-9_]{0,62}$/, "must be a lower-case identifier")
		.default("campaigns"),
	MESSAGING_RPC_URL: envUrl(["http:", "https:"]),
});

export type Config = z.infer<typeof schema>;

/** Reads the settings of the service; throws ConfigError naming every bad one. */
export function readCampaignsConfig(env: Env): Config {
	return readConfig(schema, env);
}
