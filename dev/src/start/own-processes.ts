import { type Assembly, allOrFirstError, reportReady } from "./assembly.ts";
import { deliveryEnv, serviceEnv } from "./service-env.ts";
import { cloudApiEnv, smscEnv } from "./simulators.ts";
import { type OwnProcess, startProcess } from "./start-process.ts";
import { serviceNames } from "./system.ts";
import { localUrl, type SystemPlan } from "./system-plan.ts";

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
