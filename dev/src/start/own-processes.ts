import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SupervisedProcess } from "../processes/supervised-process.ts";
import {
	type Assembly,
	allOrFirstError,
	reportReady,
	supervisionFor,
} from "./assembly.ts";
import {
	deliveryEnv,
	localUrl,
	type SystemPlan,
	serviceEnv,
} from "./service-env.ts";
import { cloudApiEnv, smscEnv } from "./simulators.ts";
import { type ExtraEnv, type ProcessName, serviceNames } from "./system.ts";

/** What differs between our processes. */
interface OwnProcess {
	readonly name: ProcessName;
	/** Module to run, from the repository's root. */
	readonly main: string;
	readonly env: ExtraEnv;
	readonly extraEnv?: ExtraEnv | undefined;
	/** Gives a 2xx response once it is ready. */
	readonly readyUrl: string;
}

const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));
const READY_CHECK_TIMEOUT_MS = 2_000;

/** Processes whose work no request waits for. */
const NICE: readonly ProcessName[] = [
	...(["messaging-delivery", "webhooks", "smsc", "cloud-api"] as const),
];

/** Starts the services and the simulators; no SMSC when there is a route to another one. */
export async function startOwnProcesses(
	assembly: Assembly,
	plan: SystemPlan,
): Promise<void> {
	const start = async (part: string, processes: readonly OwnProcess[]) => {
		const starts = processes.map((each) => startProcess(assembly, each));
		await allOrFirstError(assembly.callOff, starts);
		reportReady(assembly, part);
	};
	const [smsc, cloudApi] = simulators(assembly, plan);
	const hasSmsc = assembly.options.smpp === undefined;
	await allOrFirstError(assembly.callOff, [
		...(hasSmsc ? [start("SMSC simulator", [smsc])] : []),
		start("Cloud API", [cloudApi]),
		start("services", services(assembly, plan)),
	]);
}

function simulators({ dataDir, options }: Assembly, plan: SystemPlan) {
	const { smscControl, cloudApi } = plan.ports;
	return [
		{
			name: "smsc",
			main: "simulators/src/smsc/main.ts",
			env: smscEnv(plan, dataDir),
			extraEnv: options.smscEnv,
			readyUrl: `${localUrl(smscControl)}/stats`,
		},
		{
			name: "cloud-api",
			main: "simulators/src/cloud-api/main.ts",
			env: cloudApiEnv(plan, dataDir),
			readyUrl: `${localUrl(cloudApi)}/control/stats`,
		},
	] as const satisfies OwnProcess[];
}

function services({ options }: Assembly, plan: SystemPlan): OwnProcess[] {
	const service = (name: (typeof serviceNames)[number]) => ({
		name,
		main: `services/${name}/src/main.ts`,
		env: serviceEnv(plan, name),
		extraEnv: options.env?.[name],
		readyUrl: `${localUrl(plan.ports.ops[name])}/ready`,
	});
	const delivery = {
		...service("messaging"),
		name: "messaging-delivery",
		env: deliveryEnv(plan),
		readyUrl: `${localUrl(plan.ports.ops["messaging-delivery"])}/ready`,
	} as const;
	return [...serviceNames.map(service), delivery];
}

function startProcess(
	assembly: Assembly,
	{ name, main, env, extraEnv, readyUrl }: OwnProcess,
): Promise<void> {
	const mark = `--data-dir=${assembly.dataDir}/`;
	const supervised = new SupervisedProcess({
		...supervisionFor(assembly, name),
		name,
		command: {
			program: process.execPath,
			args: [join(REPOSITORY, main), mark],
			...{ env, mark, stopSignal: "SIGTERM" },
		},
		extraEnv: extraEnv ?? {},
		isReady: () => isOk(readyUrl),
		isNice: NICE.includes(name),
	});
	assembly.processes.set(name, supervised);
	return supervised.start();
}

async function isOk(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, {
			headers: { connection: "close" },
			signal: AbortSignal.timeout(READY_CHECK_TIMEOUT_MS),
		});
		await response.arrayBuffer();
		return response.ok;
	} catch {
		return false;
	}
}
