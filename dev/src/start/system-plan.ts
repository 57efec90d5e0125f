import type { Secrets } from "../secrets/secrets.ts";
import type { Databases } from "../storage/databases.ts";
import type { RpcServiceName, ServiceName } from "./system.ts";

export interface SystemPlan {
	readonly secrets: Secrets;
	/** Folder of the private keys of all services, and of those that they trust. */
	readonly keysDir: string;
	readonly databases: Databases;
	readonly ports: SystemPorts;
	readonly kafkaBrokers: readonly string[] | undefined;
	readonly smppRoute: string;
	readonly replicas: number;
	/** Simulated operators. */
	readonly routes: number;
}

export interface SystemPorts {
	readonly http: number;
	readonly rpc: Readonly<Record<RpcServiceName, number>>;
	readonly ops: Readonly<Record<ServiceName | "messaging-delivery", number>>;
	readonly smpp: number;
	readonly smscControl: number;
	readonly cloudApi: number;
	readonly secondSmpp: number;
	readonly secondSmscControl: number;
	readonly httpSms: number;
}

export function localUrl(port: number, host = replicaHost(0)): string {
	return `http://${host}:${port}`;
}

/** Where a replica, from 0, says whether it takes calls. */
export function readyUrl(opsPort: number, replica: number): string {
	return `${localUrl(opsPort, replicaHost(replica))}/ready`;
}

/** Replicas share the ports of their service. The first one, from 0, is at the usual address. */
export function replicaHost(replica: number): string {
	return `127.0.0.${1 + replica}`;
}

export function replicaNumbers({ replicas }: SystemPlan): number[] {
	return Array.from({ length: replicas }, (_, replica) => replica);
}

/** Behind a load balancer, which has their common address, unless there is one gateway. */
export function gatewayHost({ replicas }: SystemPlan, replica: number): string {
	return replicaHost(replicas === 1 ? replica : replica + 1);
}
