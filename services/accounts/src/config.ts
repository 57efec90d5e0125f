import {
	type Env,
	readConfig,
	serviceConfig,
} from "@airtower/platform/runtime/config";
import { envInt, envKeyRing, envRpcUrl } from "@airtower/platform/runtime/env";
import { z } from "zod";

/** A younger reservation may still be in use: messaging commits within 20 s of the moment it begins to reserve. */
const MIN_RECONCILE_AFTER_S = 25;

export const schema = z.object({
	...serviceConfig("accounts"),
	API_KEY_PEPPERS: envKeyRing(),
	ENCRYPTION_KEYS: envKeyRing(),
	MESSAGING_RPC_URL: envRpcUrl(),
	LEDGER_RETENTION_MONTHS: envInt(2, 240).default(25),
	RECONCILE_AFTER_S: envInt(MIN_RECONCILE_AFTER_S, 3_600).default(60),
});

export type Config = z.infer<typeof schema>;

export function readAccountsConfig(env: Env): Config {
	return readConfig(schema, env);
}
