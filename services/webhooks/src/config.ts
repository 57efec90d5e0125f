import {
	type Env,
	envBool,
	envInt,
	envKeyRing,
	readConfig,
	serviceConfig,
} from "@airtower/platform/runtime/config";
import { z } from "zod";

const schema = z.object({
	...serviceConfig("webhooks"),
	ENCRYPTION_KEYS: envKeyRing(),
	ALLOW_HTTP_WEBHOOKS: envBool().default(false),
	ALLOW_PRIVATE_WEBHOOK_ADDRESSES: envBool().default(false),
	MAX_IN_FLIGHT: envInt(1, 20_000).default(1_024),
	MAX_IN_FLIGHT_PER_ENDPOINT: envInt(1, 1_000).default(64),
});

export type Config = z.infer<typeof schema>;

/** Throws ConfigError naming every bad setting. */
export function readWebhooksConfig(env: Env): Config {
	return readConfig(schema, env);
}
