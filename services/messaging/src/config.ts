import { egressSettings } from "@airtower/platform/egress/settings";
import {
	type Env,
	readConfig,
	serviceConfig,
} from "@airtower/platform/runtime/config";
import {
	envBool,
	envInt,
	envKeyRing,
	envRpcUrl,
	envUrl,
} from "@airtower/platform/runtime/env";
import { z } from "zod";

export const schema = z.object({
	...serviceConfig("messaging"),
	ACCOUNTS_RPC_URL: envRpcUrl(),
	/** The first route; the only one without ENCRYPTION_KEYS. */
	SMPP_ROUTE_URL: envUrl(["smpp:", "smpps:"]),
	/** Seal the settings of the routes in the database. */
	ENCRYPTION_KEYS: envKeyRing().optional(),
	/** For operators that are called over HTTP, as for callbacks. */
	...egressSettings(),
	ALLOW_HTTP_OPERATORS: envBool().default(false),
	ALLOW_PRIVATE_OPERATOR_ADDRESSES: envBool().default(false),
	/** "accept": this process serves calls, and leaves operators and queues to others of the service. */
	MESSAGING_ROLE: z.enum(["all", "accept"]).default("all"),
	/** What to do with a message that was sent without a response, once no receipt came for it. */
	UNKNOWN_POLICY: z.enum(["resend_once", "hold"]).default("resend_once"),
	UNKNOWN_WAIT_S: envInt(1, 3_600).default(60),
	UNKNOWN_DEADLINE_S: envInt(1, 604_800).optional(),
	MESSAGE_VALIDITY_S: envInt(60, 604_800).default(86_400),
	NO_RECEIPT_AFTER_S: envInt(60, 2_592_000).default(259_200),
	BODY_RETENTION_DAYS: envInt(0, 3_650).default(30),
	RECORD_RETENTION_MONTHS: envInt(1, 240).default(13),
	/** Short enough that a dead holder's binds are up again elsewhere within 15 s. */
	DISPATCH_LEASE_MS: envInt(1_000, 300_000).default(10_000),
});

export type Config = z.infer<typeof schema>;

export function readMessagingConfig(env: Env): Config {
	return readConfig(schema, env);
}
