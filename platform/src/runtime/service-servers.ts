import type { Db } from "../database/database.ts";
import {
	type RpcServer,
	type RpcServerOptions,
	startRpcServer,
} from "../rpc/server.ts";
import type { CommonConfig, RpcConfig } from "./config.ts";
import type { Logger } from "./log.ts";
import { type OpsServer, startOpsServer } from "./ops-server.ts";

export type ServersConfig = Pick<
	CommonConfig & RpcConfig,
	"RPC_HOST" | "RPC_PORT" | "OPS_HOST" | "OPS_PORT" | "CALLER_TOKEN_KEYS"
>;

export interface ServersParts
	extends Pick<RpcServerOptions, "metrics" | "tls" | "routes" | "services"> {
	readonly sql: Db;
	readonly log: Logger;
}

export interface ServiceServers {
	readonly rpc: RpcServer;
	readonly ops: OpsServer;
}

/**
 * Starts the two servers of a service: its RPCs, and `/live`, `/ready` and `/metrics`. It is healthy and
 * ready while its database answers: what needs the event bus or an operator waits in that database.
 */
export async function startServers(
	service: string,
	config: ServersConfig,
	{ sql, ...parts }: ServersParts,
): Promise<ServiceServers> {
	const isReady = () => answers(sql);
	const rpc = await startRpcServer({
		...parts,
		host: config.RPC_HOST,
		port: config.RPC_PORT,
		audience: service,
		ring: config.CALLER_TOKEN_KEYS,
		isHealthy: isReady,
	});
	const ops = await startOpsServer({
		host: config.OPS_HOST,
		port: config.OPS_PORT,
		metrics: parts.metrics,
		isReady,
	});
	return { rpc, ops };
}

function answers(sql: Db): Promise<boolean> {
	return sql`select 1`.then(
		() => true,
		() => false,
	);
}
