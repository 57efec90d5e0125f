import { existsSync } from "node:fs";
import { join } from "node:path";
import { STOP_TIMEOUT_MS } from "@airtower/platform/runtime/lifecycle";
import {
	type Compose,
	type ComposeService,
	composeEnvironments,
} from "../compose.ts";
import { settingFaults } from "./variables.ts";

/** What is wrong with the containers of a Compose file, whose secrets are in a folder of that name. */
export function containerFaults(compose: Compose, secrets: string): string[] {
	const environments = composeEnvironments(compose, secrets);
	return [
		...environments.flatMap(settingFaults),
		...environments.flatMap(({ workload, file, service, variables }) => {
			const container = compose.services[workload];
			if (container === undefined) return [];
			const own =
				file === "main"
					? servingFaults(container, service)
					: migrationFaults(container);
			return [...own, ...addressFaults(compose, container, variables)].map(
				(fault) => `${workload} ${fault}`,
			);
		}),
		...Object.entries(compose.services).flatMap(([name, container]) =>
			[
				...rightsFaults(container),
				...logFaults(container),
				...fileFaults(container, secrets),
			].map((fault) => `${name} ${fault}`),
		),
	];
}

function servingFaults(container: ComposeService, service: string): string[] {
	const migration = container.depends_on?.[`${service}-migrate`]?.condition;
	const graceS = Number.parseInt(container.stop_grace_period ?? "10s", 10);
	const [kind, program, ...args] = container.healthcheck?.test ?? [];
	return faults({
		"does not wait for its migration":
			migration !== "service_completed_successfully",
		"is killed before its drain is over": graceS <= STOP_TIMEOUT_MS / 1_000,
		"has a health check that needs a shell":
			kind !== "CMD" || program !== "/usr/local/bin/node",
		"has a health check that Podman splits at its spaces": args.some((arg) =>
			arg.includes(" "),
		),
		"may take all memory": container.mem_limit === undefined,
	});
}

function migrationFaults({ depends_on: needs }: ComposeService): string[] {
	return faults({
		"does not wait for PostgreSQL":
			needs?.postgres?.condition !== "service_healthy",
	});
}

/** Hosts in its settings are containers on a network of its own; what does not deliver calls no operator. */
function addressFaults(
	{ services }: Compose,
	container: ComposeService,
	{
		MESSAGING_ROLE,
		SMPP_ROUTE_URL = "",
		...others
	}: Readonly<Record<string, string>>,
): string[] {
	const values = Object.values(others);
	if (MESSAGING_ROLE === "all") values.push(SMPP_ROUTE_URL);
	const hosts = values.flatMap((value) => {
		const [, host] =
			/^(?:\w+:\/\/(?:[^@/]+@)?)?([a-z][\w-]*)[:/]/.exec(value) ?? [];
		return host === undefined || value.startsWith("/") ? [] : [host];
	});
	return hosts
		.filter((host) => host in services)
		.filter(
			(host) =>
				!services[host]?.networks.some((one) =>
					container.networks.includes(one),
				),
		)
		.map((host) => `is on no network of ${host}`);
}

function rightsFaults(container: ComposeService): string[] {
	if (!container.image.includes("airtower")) return [];
	return faults({
		"may write to its root": container.read_only !== true,
		"keeps capabilities": container.cap_drop?.join() !== "ALL",
		"may gain rights":
			container.security_opt?.includes("no-new-privileges:true") !== true,
		"is open to other machines":
			container.ports?.some((port) => !port.includes("127.0.0.1")) === true,
	});
}

/** Docker keeps all that a container has written, unless it is told when to begin another file and how many to keep. */
function logFaults({ logging }: ComposeService): string[] {
	const { "max-size": size, "max-file": files } = logging?.options ?? {};
	return faults({
		"may fill the disk with its log": size === undefined || files === undefined,
	});
}

/** What is mounted, and files of variables, are made by `npm run compose:secrets`. */
function fileFaults(
	{ volumes = [], env_file: files = [] }: ComposeService,
	secrets: string,
): string[] {
	const mounted = volumes
		.filter((volume) => volume.startsWith("./"))
		.map((volume) => volume.split(":")[0] ?? "");
	return [...mounted, ...files]
		.filter((file) => !existsSync(join(secrets, "..", file)))
		.map((file) => `needs ${file}, which nobody makes`);
}

function faults(found: Readonly<Record<string, boolean>>): string[] {
	return Object.keys(found).filter((what) => found[what]);
}
