import { type Front, openFront } from "../../balancer/front.ts";
import {
	type ExtraEnv,
	type ServiceName,
	type System,
	serviceNames,
} from "../../start/system.ts";

export type Fronts = Readonly<Record<ServiceName, Front>>;

/** One for each service, before the system is up. */
export async function openFronts(): Promise<Fronts> {
	const opened = serviceNames.map(
		async (name) => [name, await openFront()] as const,
	);
	return Object.fromEntries(await Promise.all(opened)) as unknown as Fronts;
}

/** By which services find each other behind them. */
export function frontEnv({ gateway: _, ...called }: Fronts): ExtraEnv {
	return Object.fromEntries(
		Object.entries(called).map(([name, { port }]) => [
			`${name.toUpperCase()}_RPC_URL`,
			`http://127.0.0.1:${port}`,
		]),
	);
}

export function addSystem(
	fronts: Fronts,
	{ addresses, baseUrl }: System,
): void {
	for (const name of serviceNames) {
		const { rpcUrl, opsUrl } = addresses[name];
		const url = name === "gateway" ? baseUrl : rpcUrl;
		const port = Number(new URL(url).port);
		fronts[name].add({ port, readyUrl: `${opsUrl}/ready` });
	}
}

export async function closeFronts(fronts: Fronts): Promise<void> {
	await Promise.all(Object.values(fronts).map((front) => front.close()));
}
