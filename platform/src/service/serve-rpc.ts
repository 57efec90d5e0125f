import { auditRoute } from "../audit/audit-service.ts";
import { recordUnrecorded } from "../audit/record-unrecorded.ts";
import { createStoreProbe } from "../database/store-probe.ts";
import type { RpcRoute } from "../rpc/route.ts";
import { startRpcServer } from "../rpc/server.ts";
import type { CommonConfig, RpcConfig } from "../runtime/config.ts";
import type { Server } from "./create-service.ts";
import type { ServiceBase } from "./service-base.ts";

export interface Storing {
	/** What is accepted is written to them: while one is locked, the service says that it cannot store. */
	readonly tables: readonly string[];
	/** False while the service refuses what it is given to store, for a reason of its own. */
	readonly mayStore?: () => boolean;
}

/**
 * Serves RPCs with health, reflection and the audit, which the schema has; call it once all else is in place.
 */
export async function serveRpc(
	base: ServiceBase<CommonConfig & RpcConfig>,
	routes: readonly RpcRoute[],
	{ tables, mayStore = () => true }: Storing,
): Promise<Server> {
	const canStore = createStoreProbe(base.sql, tables);
	const { name, config, log, metrics, tls, isReady, sql, trustedKeys } = base;
	const all = [...routes, auditRoute(sql)];
	const services = all.map(({ service }) => service);
	return startRpcServer({
		host: config.RPC_HOST,
		port: config.RPC_PORT,
		openReflection: config.RPC_OPEN_REFLECTION,
		audience: name,
		trustedKeys: trustedKeys.current,
		isHealthy: isReady,
		canStore: async () => mayStore() && canStore(),
		interceptors: [recordUnrecorded(sql, services)],
		log,
		metrics,
		tls,
		routes: all,
	});
}
