import { type Balancer, openBalancer } from "../../balancer/balancer.ts";
import {
	type ExtraEnv,
	type ServiceName,
	type System,
	serviceNames,
} from "../../start/system.ts";

export type Balancers = Readonly<Record<ServiceName, Balancer>>;

/** One for each service, before the system is up. */
export async function openBalancers(): Promise<Balancers> {
	const opened = serviceNames.map(
		async (name) => [name, await openBalancer()] as const,
	);
	return Object.fromEntries(await Promise.all(opened)) as unknown as Balancers;
}

/** By which services find each other behind them. */
export function balancedEnv({ gateway: _, ...called }: Balancers): ExtraEnv {
	return Object.fromEntries(
		Object.entries(called).map(([name, { port }]) => [
			`${name.toUpperCase()}_RPC_URL`,
			`http://127.0.0.1:${port}`,
		]),
	);
}

export function addSystem(
	balancers: Balancers,
	{ addresses, baseUrl }: System,
): void {
	for (const name of serviceNames) {
		const { rpcUrl, opsUrl } = addresses[name];
		const url = name === "gateway" ? baseUrl : rpcUrl;
		const port = Number(new URL(url).port);
		balancers[name].add({ port, readyUrl: `${opsUrl}/ready` });
	}
}

export async function closeBalancers(balancers: Balancers): Promise<void> {
	await Promise.all(
		Object.values(balancers).map((balancer) => balancer.close()),
	);
}
