import { resolve } from "node:path";
import { keepPorts } from "../ports/kept-ports.ts";
import { onOwnPorts } from "../ports/on-own-ports.ts";
import { claimPorts } from "../ports/port-picker.ts";
import { planPorts } from "../ports/ports.ts";
import { ensureKeys } from "../secrets/identity-keys.ts";
import { loadSecrets } from "../secrets/secrets-file.ts";
import { holdDataDir } from "../storage/run-state.ts";
import { startDatabases } from "../storage/start-databases.ts";
import { startEventBus } from "../storage/start-event-bus.ts";
import { type Assembly, allOrFirstError } from "./assembly.ts";
import { startOwnProcesses } from "./own-processes.ts";
import { runningSystem } from "./running-system.ts";
import { smscRoute } from "./simulators.ts";
import {
	callOff,
	discardOwnProcesses,
	killAssembly,
	stopAssembly,
} from "./stop-assembly.ts";
import type { System, SystemOptions } from "./system.ts";
import type { SystemPlan, SystemPorts } from "./system-plan.ts";
import { tellRoutes } from "./tell-routes.ts";

/** Recovers first from an earlier run of the same dataDir that was killed. @throws StartError in one sentence */
export async function startSystem(options: SystemOptions): Promise<System> {
	const assembly = await beginAssembly(options);
	try {
		onAbort(options.signal, () => callOff(assembly));
		onAbort(options.killSignal, () => void killAssembly(assembly));
		const plan = await startAll(assembly);
		const system = await runningSystem(assembly, plan);
		await tellRoutes(system, plan);
		return system;
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
			state,
			startedAt,
			secrets: await loadSecrets(dataDir),
			keysDir: await ensureKeys(dataDir),
			ports: await (options.claimPorts ?? claimPorts)(),
			processes: new Map(),
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

async function startAll(assembly: Assembly): Promise<SystemPlan> {
	const { callOff, dataDir, options, secrets, keysDir } = assembly;
	let planned: SystemPorts | undefined = await planPorts(
		options,
		assembly.ports,
	);
	const [databases, kafkaBrokers] = await allOrFirstError(callOff, [
		startDatabases(assembly),
		startEventBus(assembly),
	] as const);
	const { plan } = await onOwnPorts(async () => {
		const ports = planned ?? (await planPorts(options, assembly.ports));
		planned = undefined;
		const smppRoute = options.smpp ?? smscRoute(ports.smpp, options.smppQuery);
		const plan = {
			secrets,
			keysDir,
			databases,
			kafkaBrokers,
			ports,
			smppRoute,
			replicas: options.replicas ?? 1,
			routes: options.routes ?? 1,
		};
		const { http, rpc, ops, ...simulators } = ports;
		return {
			plan,
			ports: [http, rpc, ops, simulators].flatMap((each) =>
				Object.values(each),
			),
			start: () => tryOwnProcesses(assembly, plan),
		};
	}, callOff.signal);
	await keepPorts(dataDir, plan.ports);
	return plan;
}

/** What has started when one fails is ended, so that all can start anew. */
async function tryOwnProcesses(
	assembly: Assembly,
	plan: SystemPlan,
): Promise<void> {
	const callOff = new AbortController();
	onAbort(assembly.callOff.signal, () =>
		callOff.abort(assembly.callOff.signal.reason),
	);
	try {
		await startOwnProcesses({ ...assembly, callOff }, plan);
	} catch (error) {
		assembly.callOff.signal.throwIfAborted();
		await discardOwnProcesses(assembly);
		throw error;
	}
}
