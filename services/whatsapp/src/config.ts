import {
	type Env,
	readConfig,
	serviceConfig,
} from "@airtower/platform/runtime/config";
import { envInt, envKeyRing, envUrl } from "@airtower/platform/runtime/env";
import { z } from "zod";

export const schema = z.object({
	...serviceConfig("whatsapp"),
	ENCRYPTION_KEYS: envKeyRing(),
	WHATSAPP_API_BASE_URL: envUrl(["http:", "https:"]).default(
		"https://graph.facebook.com",
	),
	WHATSAPP_API_VERSION: z
		.string()
		.regex(/^v[0-9]+\.[0-9]+$/, "must be of the form v23.0")
		.default("v23.0"),
	WHATSAPP_APP_SECRET: z.string().min(16, "must have 16 characters or more"),
	WHATSAPP_VERIFY_TOKEN: z.string().min(8, "must have 8 characters or more"),
	WHATSAPP_API_TIMEOUT_MS: envInt(100, 60_000).default(10_000),
	WHATSAPP_RATE_PER_NUMBER: envInt(1, 1_000).default(80),
	MESSAGE_VALIDITY_S: envInt(60, 604_800).default(86_400),
	BODY_RETENTION_DAYS: envInt(0, 3_650).default(30),
	RECORD_RETENTION_MONTHS: envInt(1, 240).default(13),
	UNKNOWN_WAIT_S: envInt(1, 604_800).default(86_400),
});

export type Config = z.infer<typeof schema>;

/** Reads the settings; throws ConfigError naming every bad one. */
export function readWhatsappConfig(env: Env): Config {
	return readConfig(schema, env);
}
