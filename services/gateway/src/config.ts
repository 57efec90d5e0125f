import {
	type Env,
	readConfig,
	serviceConfig,
} from "@airtower/platform/runtime/config";
import {
	envInt,
	envKeyRing,
	envList,
	envPort,
	envRpcUrl,
} from "@airtower/platform/runtime/env";
import { z } from "zod";

const {
	RPC_HOST: _host,
	RPC_PORT: _port,
	...commonConfig
} = serviceConfig("gateway");

const proxy = z.union([
	z.enum(["loopback", "linklocal", "uniquelocal"]),
	z.ipv4(),
	z.ipv6(),
	z.cidrv4(),
	z.cidrv6(),
]);

export const schema = z.object({
	...commonConfig,
	HTTP_HOST: z.string().default("127.0.0.1"),
	HTTP_PORT: envPort(),
	ACCOUNTS_RPC_URL: envRpcUrl(),
	MESSAGING_RPC_URL: envRpcUrl(),
	WHATSAPP_RPC_URL: envRpcUrl(),
	CAMPAIGNS_RPC_URL: envRpcUrl(),
	WEBHOOKS_RPC_URL: envRpcUrl(),
	CURSOR_KEYS: envKeyRing(),
	TRUST_PROXY: envList()
		.refine((entries) => entries.every((one) => proxy.safeParse(one).success), {
			message:
				"must list addresses or networks (10.0.0.0/8), or loopback, linklocal, uniquelocal",
		})
		.optional(),
	/** Open at a time, trusted proxies apart. */
	CONNECTIONS_PER_ADDRESS: envInt(1, 100_000).default(1_000),
	FAILED_AUTH_LIMIT: envInt(1, 1_000_000).default(300),
});

export type Config = z.infer<typeof schema>;

/** Reads the settings; throws ConfigError naming every bad one. */
export function readGatewayConfig(env: Env): Config {
	return readConfig(schema, env);
}
