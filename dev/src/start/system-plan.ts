import type { Secrets } from "../secrets/secrets.ts";
import type { Databases } from "../storage/databases.ts";
import type { RpcServiceName, ServiceName } from "./system.ts";

export interface SystemPlan {
	readonly secrets: Secrets;
	readonly databases: Databases;
	readonly ports: SystemPorts;
	readonly kafkaBrokers: readonly string[] | undefined;
	readonly smppRoute: string;
}

export interface SystemPorts {
	readonly http: number;
	readonly rpc: Readonly<Record<RpcServiceName, number>>;
	readonly ops: Readonly<Record<ServiceName | "messaging-delivery", number>>;
	readonly smpp: number;
	readonly smscControl: number;
	readonly cloudApi: number;
}

export function localUrl(port: number): string {
	return `http://127.0.0.1:${port}`;
}
