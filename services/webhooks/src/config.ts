import { egressSettings } from "@airtower/platform/egress/settings";
import {
	type Env,
	readConfig,
	serviceConfig,
} from "@airtower/platform/runtime/config";
import { envBool, envInt, envKeyRing } from "@airtower/platform/runtime/env";
import { z } from "zod";

export const schema = z.object({
	...serviceConfig("webhooks"),
	ENCRYPTION_KEYS: envKeyRing(),
	ALLOW_HTTP_WEBHOOKS: envBool().default(false),
	ALLOW_PRIVATE_WEBHOOK_ADDRESSES: envBool().default(false),
	...egressSettings(),
	/** Ports below 1024 other than 80 and 443 belong to mail, directories and shells, not to receivers. */
	ALLOW_PRIVILEGED_WEBHOOK_PORTS: envBool().default(false),
	BODY_RETENTION_DAYS: envInt(0, 3_650).default(30),
	EVENT_RETENTION_DAYS: envInt(1, 3_650).default(30),
	MAX_IN_FLIGHT: envInt(1, 20_000).default(1_024),
	MAX_IN_FLIGHT_PER_ENDPOINT: envInt(1, 1_000).default(64),
});

export type Config = z.infer<typeof schema>;

/** Throws ConfigError naming every bad setting. */
export function readWebhooksConfig(env: Env): Config {
	return readConfig(schema, env);
}
