import { join } from "node:path";
import { type PlannedAssembly, reportReady } from "./assembly.ts";
import { cloudApiSettings } from "./cloud-api-process.ts";
import { answersOk } from "./ready-check.ts";
import { deliveryEnv, localUrl, serviceEnv } from "./service-env.ts";
import { smscSettings } from "./smsc-process.ts";
import { type ProcessSpec, superviseProcess } from "./supervised-process.ts";
import { type ProcessName, type ServiceName, serviceNames } from "./system.ts";
import type { Stage } from "./teardown.ts";

/** What differs between our processes. */
export type ProcessSettings = Pick<
	ProcessSpec,
	"main" | "env" | "extraEnv" | "isReady"
>;

const REPOSITORY = new URL("../../../", import.meta.url);

const STAGE_OF: Readonly<Record<ProcessName, Stage>> = {
	gateway: "edge",
	campaigns: "middle",
	messaging: "middle",
	"messaging-delivery": "middle",
	whatsapp: "middle",
	webhooks: "middle",
	accounts: "core",
	smsc: "outside",
	"cloud-api": "outside",
};

/** Processes whose work no request waits for. */
const GIVING_WAY: ReadonlySet<ProcessName> = new Set([
	"messaging-delivery",
	"webhooks",
	"smsc",
	"cloud-api",
]);

/** Starts the simulator, unless a route to another SMSC was given. */
export async function startSmsc(assembly: PlannedAssembly): Promise<void> {
	if (assembly.options.smpp !== undefined) return;
	await startProcess(assembly, "smsc", smscSettings(assembly));
	reportReady(assembly, "SMSC simulator");
}

/** Starts the look-alike of the WhatsApp provider. */
export async function startCloudApi(assembly: PlannedAssembly): Promise<void> {
	await startProcess(assembly, "cloud-api", cloudApiSettings(assembly));
	reportReady(assembly, "Cloud API");
}

/** Starts all services at once. */
export async function startServices(assembly: PlannedAssembly): Promise<void> {
	const services = serviceNames.map((name) =>
		startProcess(assembly, name, serviceSettings(assembly, name)),
	);
	const delivery = startProcess(
		assembly,
		"messaging-delivery",
		deliverySettings(assembly),
	);
	await allOrFirstError([...services, delivery], assembly.callOff);
	reportReady(assembly, "services");
}

function serviceSettings(
	{ plan, options }: PlannedAssembly,
	name: ServiceName,
): ProcessSettings {
	return {
		main: mainOf(name),
		env: serviceEnv(plan, name),
		extraEnv: options.env?.[name] ?? {},
		isReady: () => isReady(plan.ports.ops[name]),
	};
}

function deliverySettings({ plan, options }: PlannedAssembly): ProcessSettings {
	return {
		main: mainOf("messaging"),
		env: deliveryEnv(plan),
		extraEnv: options.env?.messaging ?? {},
		isReady: () => isReady(plan.ports.ops["messaging-delivery"]),
	};
}

function mainOf(service: ServiceName): URL {
	return new URL(`services/${service}/src/main.ts`, REPOSITORY);
}

function isReady(opsPort: number): Promise<boolean> {
	return answersOk(`${localUrl(opsPort)}/ready`);
}

function startProcess(
	assembly: PlannedAssembly,
	name: ProcessName,
	settings: ProcessSettings,
): Promise<void> {
	const supervised = superviseProcess({
		...settings,
		name,
		givesWay: GIVING_WAY.has(name),
		logPath: join(assembly.dataDir, "logs", `${name}.log`),
		restartCrashed: assembly.options.restartCrashed ?? true,
		onEvent: assembly.onEvent,
		onPid: (pid) => assembly.state.record(name, pid),
		signal: assembly.callOff.signal,
	});
	assembly.processes.set(name, supervised);
	assembly.stoppables.push({
		stage: STAGE_OF[name],
		stop: (graceMs) => supervised.stop(graceMs),
	});
	return supervised.start();
}

/**
 * Waits for all before it throws, so that nothing starts behind the back of the one who cleans up;
 * the first failure calls the others off and is the one thrown.
 */
export async function allOrFirstError(
	works: readonly Promise<unknown>[],
	callOff: AbortController,
): Promise<void> {
	const watched = works.map((work) =>
		work.catch((error: unknown) => callOff.abort(error)),
	);
	await Promise.all(watched);
	callOff.signal.throwIfAborted();
}
