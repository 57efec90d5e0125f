import { type Overlay, ofKind } from "../manifest.ts";
import { type Secrets, secretsOf } from "../secrets.ts";
import { settingsOf } from "../settings.ts";
import {
	type Container,
	programOf,
	type Variable,
	workloads,
} from "../workload.ts";

type Values = Readonly<Record<string, string>>;

export interface Environment {
	readonly workload: string;
	readonly service: string;
	readonly file: string;
	readonly variables: Values;
}

/** Variables that no program reads, and settings that a program misses or refuses. */
export function variableFaults(overlay: Overlay, store: Secrets): string[] {
	return environmentsOf(overlay, store).flatMap(settingFaults);
}

/** What one program makes of its environment; a value is read as the program does it. */
export function settingFaults(environment: Environment): string[] {
	const { workload, service, file, variables } = environment;
	const settings = settingsOf(service, file);
	if (settings === undefined) return [`${workload}: no service ${service}`];
	const unknown = Object.keys(variables)
		.filter((name) => !settings.names.includes(name))
		.map((name) => `${workload}: ${service} has no setting ${name}`);
	try {
		settings.read(variables);
		return unknown;
	} catch (error) {
		return [...unknown, `${workload}: ${(error as Error).message}`];
	}
}

/** What each program of ours finds in its environment. */
export function environmentsOf(
	overlay: Overlay,
	store: Secrets,
): Environment[] {
	const sources = {
		secrets: new Map(secretsOf(overlay, store)),
		maps: new Map(
			ofKind(overlay, "ConfigMap").map(({ metadata, data = {} }) => [
				metadata.name,
				data,
			]),
		),
	};
	return workloads(overlay).flatMap(({ name, pod }) =>
		pod.containers.flatMap((container) => {
			const program = programOf(container);
			const variables = variablesOf(container, sources);
			return program ? [{ workload: name, ...program, variables }] : [];
		}),
	);
}

interface Sources {
	readonly secrets: ReadonlyMap<string, Values>;
	readonly maps: ReadonlyMap<string, Values>;
}

function variablesOf(
	{ env = [], envFrom = [] }: Container,
	{ secrets, maps }: Sources,
): Values {
	const whole = envFrom.map(({ configMapRef, secretRef }) => ({
		...maps.get(configMapRef?.name ?? ""),
		...secrets.get(secretRef?.name ?? ""),
	}));
	const single = env.map(({ name, value, valueFrom }: Variable) => {
		const { secretKeyRef, configMapKeyRef } = valueFrom ?? {};
		const from =
			secrets.get(secretKeyRef?.name ?? "")?.[secretKeyRef?.key ?? ""] ??
			maps.get(configMapKeyRef?.name ?? "")?.[configMapKeyRef?.key ?? ""];
		return { [name]: value ?? from ?? "" };
	});
	return Object.assign({}, ...whole, ...single);
}
