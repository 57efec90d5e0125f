import { type Assembly, allOrFirstError, reportReady } from "./assembly.ts";
import { startedOperators } from "./other-operators.ts";
import { balancerEnv, deliveryEnv, serviceEnv } from "./service-env.ts";
import { cloudApiEnv, smscEnv } from "./simulators.ts";
import { type OwnProcess, startProcess } from "./start-process.ts";
import { type ServiceProcess, serviceNames } from "./system.ts";
import {
	localUrl,
	readyUrl,
	replicaNumbers,
	type SystemPlan,
} from "./system-plan.ts";

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
	const others = otherOperators(assembly, plan);
	const hasSmsc = assembly.options.smpp === undefined;
	await allOrFirstError(assembly.callOff, [
		...(hasSmsc ? [start("SMSC simulator", [smsc])] : []),
		...(others.length > 0 ? [start("other operators", others)] : []),
		start("Cloud API", [cloudApi]),
		start("services", [...services(assembly, plan), ...balancer(plan)]),
	]);
}

function simulators({ dataDir }: Assembly, plan: SystemPlan) {
	const { smscControl, cloudApi } = plan.ports;
	return [
		{
			name: "smsc",
			main: "simulators/src/smsc/main.ts",
			env: smscEnv(plan, dataDir),
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

function otherOperators({ dataDir }: Assembly, plan: SystemPlan): OwnProcess[] {
	const { ports } = plan;
	return startedOperators(plan).map((operator) => ({
		name: operator.process,
		main: operator.main,
		env: operator.env(ports, dataDir),
		readyUrl: operator.readyUrl(ports),
	}));
}

function services({ options }: Assembly, plan: SystemPlan): OwnProcess[] {
	const { ops } = plan.ports;
	const processes = (replica: number): OwnProcess[] => {
		const common = (process: ServiceProcess) => ({
			name: replica === 0 ? process : (`${process}-${replica + 1}` as const),
			readyUrl: readyUrl(ops[process], replica),
		});
		const service = (name: (typeof serviceNames)[number]) => ({
			...common(name),
			main: `services/${name}/src/main.ts`,
			env: serviceEnv(plan, name, replica),
			extraEnv: options.env?.[name],
		});
		const delivery = {
			...service("messaging"),
			...common("messaging-delivery"),
			env: deliveryEnv(plan, replica),
		};
		return [...serviceNames.map(service), delivery];
	};
	return replicaNumbers(plan).flatMap(processes);
}

function balancer(plan: SystemPlan): OwnProcess[] {
	if (plan.replicas === 1) return [];
	return [
		{
			name: "balancer",
			main: "dev/src/balancer/main.ts",
			env: balancerEnv(plan),
			readyUrl: `${localUrl(plan.ports.http)}/api/v1/health`,
		},
	];
}
