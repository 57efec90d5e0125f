import { resolve } from "node:path";
import { giveWay } from "../give-way.ts";
import {
	type Assembly,
	callOff,
	killAssembly,
	type PlannedAssembly,
	stopAssembly,
} from "./assembly.ts";
import { planPorts } from "./plan-ports.ts";
import { claimPorts } from "./ports.ts";
import {
	allOrFirstError,
	startCloudApi,
	startServices,
	startSmsc,
} from "./run-processes.ts";
import { holdDataDir } from "./run-state.ts";
import { runningSystem } from "./running-system.ts";
import { loadSecrets } from "./secrets.ts";
import type { SystemPorts } from "./service-env.ts";
import { keepSessionsGivingWay } from "./sessions-giving-way.ts";
import { smscRoute } from "./smsc-process.ts";
import { startDatabases, startEventBus } from "./storage.ts";
import type { System, SystemOptions } from "./system.ts";

/**
 * Starts a whole system in its own processes and resolves when every service is ready.
 * Recovers first from an earlier run of the same dataDir that was killed.
 * @throws StartError when a port is busy, the data folder is in use, or a service cannot start
 */
export async function startSystem(options: SystemOptions): Promise<System> {
	const assembly = await beginAssembly(options);
	try {
		const starting = startAll(assembly);
		onAbort(options.signal, () => callOff(assembly));
		onAbort(options.killSignal, () => void killAssembly(assembly, starting));
		return await runningSystem(await starting);
	} catch (error) {
		await stopAssembly(assembly);
		throw error;
	}
}

async function beginAssembly(options: SystemOptions): Promise<Assembly> {
	const startedAt = Date.now();
	const dataDir = resolve(options.dataDir);
	const state = await holdDataDir(dataDir);
	try {
		return {
			dataDir,
			options,
			secrets: await loadSecrets(dataDir),
			state,
			ports: await claimPorts(),
			processes: new Map(),
			servers: new Map(),
			stoppables: [],
			startedAt,
			onEvent: options.onEvent ?? (() => {}),
			callOff: new AbortController(),
		};
	} catch (error) {
		await state.release();
		throw error;
	}
}

/** Also when it is aborted already. */
function onAbort(signal: AbortSignal | undefined, act: () => void): void {
	if (signal?.aborted) act();
	else signal?.addEventListener("abort", act, { once: true });
}

async function startAll(assembly: Assembly): Promise<PlannedAssembly> {
	const ports = await planPorts(assembly.options, assembly.ports);
	const storage = [startDatabases(assembly), startEventBus(assembly)] as const;
	await allOrFirstError(storage, assembly.callOff);
	const planned = {
		...assembly,
		plan: {
			secrets: assembly.secrets,
			databases: await storage[0],
			kafkaBrokers: await storage[1],
			ports,
			smppRoute: routeOf(assembly.options, ports),
		},
	};
	await allOrFirstError(
		[startSmsc(planned), startCloudApi(planned), startServices(planned)],
		assembly.callOff,
	);
	await letServersGiveWay(planned);
	return planned;
}

/** Only once all is ready: whatever starts waits for the broker's topics and groups. */
async function letServersGiveWay(assembly: PlannedAssembly): Promise<void> {
	const broker = assembly.servers.get("kafka")?.pid();
	if (broker !== undefined) await giveWay(broker);
	if (assembly.servers.has("postgres"))
		assembly.stoppables.push(
			keepSessionsGivingWay(assembly.plan.databases.adminUrl),
		);
}

function routeOf(options: SystemOptions, ports: SystemPorts): string {
	return options.smpp ?? smscRoute(ports.smpp, options.smppQuery);
}
