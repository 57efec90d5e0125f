import { StartError } from "../processes/start-error.ts";
import type { SupervisedProcess } from "../processes/supervised-process.ts";
import type { Assembly } from "./assembly.ts";
import { startedOperators } from "./other-operators.ts";
import { smscRoute } from "./simulators.ts";
import { stopAssembly } from "./stop-assembly.ts";
import {
	type AnyProcessName,
	type ServiceAddress,
	type ServiceName,
	type System,
	serviceNames,
} from "./system.ts";
import { localUrl, type SystemPlan } from "./system-plan.ts";

export async function runningSystem(
	assembly: Assembly,
	plan: SystemPlan,
): Promise<System> {
	const { processes } = assembly;
	let stopping: Promise<void> | undefined;
	return {
		dataDir: assembly.dataDir,
		baseUrl: `${localUrl(plan.ports.http)}/api/v1`,
		addresses: addressesIn(plan),
		deliveryOpsUrl: localUrl(plan.ports.ops["messaging-delivery"]),
		smsc:
			assembly.options.smpp === undefined
				? {
						smppUrl: smscRoute(plan.ports.smpp),
						controlUrl: localUrl(plan.ports.smscControl),
					}
				: undefined,
		otherOperators: startedOperators(plan).map((operator) => ({
			code: operator.code,
			process: operator.process,
			manner: operator.manner,
			url: operator.settings(plan.ports).address,
			controlUrl: operator.controlUrl(plan.ports),
		})),
		cloudApi: { url: localUrl(plan.ports.cloudApi) },
		cloudApiToken: plan.secrets.whatsapp.accessToken,
		kafkaBrokers: plan.kafkaBrokers,
		adminDatabaseUrl: plan.databases.adminUrl,
		databaseUrl: plan.databases.urlOf,
		keysDir: plan.keysDir,
		pids: () =>
			Object.fromEntries([...processes].map(([name, { pid }]) => [name, pid])),
		kill: (name, signal) => findProcess(assembly, name).kill(signal),
		restart: (name, options) =>
			findProcess(assembly, name).restart(options?.env),
		stop: () => {
			stopping ??= stopAssembly(assembly);
			return stopping;
		},
	};
}

function addressesIn({ ports }: SystemPlan): System["addresses"] {
	const called = { ...ports.rpc, gateway: ports.http };
	const addresses = serviceNames.map((name): [ServiceName, ServiceAddress] => [
		name,
		{ rpcUrl: localUrl(called[name]), opsUrl: localUrl(ports.ops[name]) },
	]);
	return Object.fromEntries(addresses) as Record<ServiceName, ServiceAddress>;
}

function findProcess(
	{ processes }: Assembly,
	name: AnyProcessName,
): SupervisedProcess {
	const found = processes.get(name);
	if (found === undefined)
		throw new StartError(`${name} is no process of this system.`);
	return found;
}
