import { mintToken } from "@airtower/platform/rpc/caller-token";
import { parseKeyRing } from "@airtower/platform/runtime/key-ring";
import { type PlannedAssembly, stopAssembly } from "./assembly.ts";
import { localUrl } from "./service-env.ts";
import { smscRoute } from "./smsc-process.ts";
import type { SupervisedProcess } from "./supervised-process.ts";
import {
	type ProcessName,
	type ServiceAddress,
	type ServiceName,
	StartError,
	type System,
	serviceNames,
} from "./system.ts";

const ISSUER = "operator";
const ADMIN_TOKEN_LIFETIME_S = 365 * 24 * 3_600;
const CALLER_TOKEN_LIFETIME_S = 3_600;
const READY_TIMEOUT_MS = 120_000;

/** The face of a system whose processes are all ready. */
export async function runningSystem(
	assembly: PlannedAssembly,
): Promise<System> {
	const { plan } = assembly;
	const callerToken = tokenMinter(assembly);
	let stopping: Promise<void> | undefined;
	return {
		dataDir: assembly.dataDir,
		baseUrl: `${localUrl(plan.ports.http)}/api/v1`,
		addresses: addressesOf(assembly),
		smsc: smscOf(assembly),
		cloudApi: { url: localUrl(plan.ports.cloudApi) },
		cloudApiToken: plan.secrets.whatsapp.accessToken,
		kafkaBrokers: plan.kafkaBrokers,
		adminDatabaseUrl: plan.databases.adminUrl,
		databaseUrl: plan.databases.urlOf,
		adminToken: await callerToken({
			audience: "*",
			organization: "*",
			role: "admin",
			lifetimeSeconds: ADMIN_TOKEN_LIFETIME_S,
		}),
		callerToken,
		pids: () => pidsOf(assembly),
		kill: (name, signal = "SIGKILL") => processOf(assembly, name).kill(signal),
		restart: (name, options) => processOf(assembly, name).restart(options?.env),
		waitUntilReady: (name, timeoutMs = READY_TIMEOUT_MS) =>
			processOf(assembly, name).untilReady(timeoutMs),
		stop: () => {
			stopping ??= stopAssembly(assembly);
			return stopping;
		},
	};
}

function tokenMinter({ secrets }: PlannedAssembly): System["callerToken"] {
	const ring = parseKeyRing(secrets.callerTokenKeys);
	return (options) =>
		mintToken({
			ring,
			issuer: options.issuer ?? ISSUER,
			audience: options.audience,
			organization: options.organization,
			role: options.role ?? "service",
			lifetimeSeconds: options.lifetimeSeconds ?? CALLER_TOKEN_LIFETIME_S,
		});
}

function addressesOf({ plan }: PlannedAssembly): System["addresses"] {
	const calledAt = { ...plan.ports.rpc, gateway: plan.ports.http };
	const addresses = serviceNames.map((name): [ServiceName, ServiceAddress] => [
		name,
		{
			rpcUrl: localUrl(calledAt[name]),
			opsUrl: localUrl(plan.ports.ops[name]),
		},
	]);
	return Object.fromEntries(addresses) as Record<ServiceName, ServiceAddress>;
}

function smscOf({ plan, options }: PlannedAssembly): System["smsc"] {
	if (options.smpp !== undefined) return undefined;
	return {
		smppUrl: smscRoute(plan.ports.smpp),
		controlUrl: localUrl(plan.ports.smscControl),
	};
}

function pidsOf(assembly: PlannedAssembly): ReturnType<System["pids"]> {
	const own = [...assembly.processes].map(([name, { pid }]) => [name, pid()]);
	const servers = [...assembly.servers].map(([name, { pid }]) => [name, pid()]);
	return Object.fromEntries([...own, ...servers]);
}

function processOf(
	assembly: PlannedAssembly,
	name: ProcessName,
): SupervisedProcess {
	const found = assembly.processes.get(name);
	if (found === undefined)
		throw new StartError(`${name} is no process of this system.`);
	return found;
}
