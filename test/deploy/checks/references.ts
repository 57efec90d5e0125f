import { type Overlay, ofKind } from "../manifest.ts";
import { type Secrets, secretsOf } from "../secrets.ts";
import { type Workload, workloads } from "../workload.ts";

/** Grafana looks for config maps with this label. */
const DASHBOARDS = "grafana_dashboard";

/** Secrets and config maps that nobody makes, that two make, that nobody uses, or that lack a key. */
export function referenceFaults(overlay: Overlay, store: Secrets): string[] {
	const made = secretsOf(overlay, store);
	const secrets = new Map(made);
	const maps = new Map(
		ofKind(overlay, "ConfigMap").map(({ metadata, data = {} }) => [
			metadata.name,
			data,
		]),
	);
	const used = workloads(overlay).flatMap(referencesOf);
	const twice = made
		.map(([name]) => name)
		.filter((name, index, all) => all.indexOf(name) !== index);
	return [
		...twice.map((name) => `two make the secret ${name}`),
		...used.flatMap(({ by, kind, name, key }) => {
			const content = (kind === "secret" ? secrets : maps).get(name);
			if (content === undefined) return [`${by}: no ${kind} ${name}`];
			const isThere = key === undefined || content[key] !== undefined;
			return isThere ? [] : [`${by}: no ${key} in ${kind} ${name}`];
		}),
		...ofKind(overlay, "ConfigMap")
			.filter(({ metadata }) => metadata.labels?.[DASHBOARDS] === undefined)
			.filter(
				({ metadata }) => !used.some(({ name }) => name === metadata.name),
			)
			.map(({ metadata }) => `nobody uses config map ${metadata.name}`),
		...operatorReferences(overlay)
			.filter(({ name, key }) => secrets.get(name)?.[key] === undefined)
			.map(({ by, name, key }) => `${by}: no ${key} in secret ${name}`),
	];
}

interface Reference {
	readonly by: string;
	readonly kind: "secret" | "config map";
	readonly name: string;
	readonly key?: string;
}

function referencesOf({ name: by, pod }: Workload): Reference[] {
	const secret = (to: object) => ({ by, kind: "secret" as const, ...to });
	const map = (to: object) => ({ by, kind: "config map" as const, ...to });
	const inVariables = pod.containers.flatMap(({ env = [], envFrom = [] }) => [
		...envFrom.map(({ secretRef, configMapRef }) =>
			secretRef ? secret(secretRef) : map(configMapRef ?? {}),
		),
		...env.flatMap(({ valueFrom: from }) => [
			...(from?.secretKeyRef ? [secret(from.secretKeyRef)] : []),
			...(from?.configMapKeyRef ? [map(from.configMapKeyRef)] : []),
		]),
	]);
	const inVolumes = (pod.volumes ?? []).flatMap((volume) => [
		...(volume.secret ? [secret({ name: volume.secret.secretName })] : []),
		...(volume.configMap ? [map(volume.configMap)] : []),
		...(volume.projected?.sources ?? []).flatMap((source) => [
			...(source.secret ? [secret(source.secret)] : []),
			...(source.configMap ? [map(source.configMap)] : []),
		]),
	]);
	return [...inVariables, ...inVolumes] as Reference[];
}

/** What PostgreSQL's and KEDA's operators read. */
function operatorReferences(overlay: Overlay) {
	type Cluster = {
		managed: { roles: { name: string; passwordSecret: { name: string } }[] };
	};
	type Authentication = {
		secretTargetRef: { name: string; key: string }[];
	};
	return [
		...ofKind<Cluster>(overlay, "Cluster").flatMap(({ spec }) =>
			spec.managed.roles.flatMap(({ name, passwordSecret }) =>
				["username", "password"].map((key) => ({
					by: `role ${name}`,
					name: passwordSecret.name,
					key,
				})),
			),
		),
		...ofKind<Authentication>(overlay, "TriggerAuthentication").flatMap(
			({ metadata, spec }) =>
				spec.secretTargetRef.map((one) => ({ by: metadata.name, ...one })),
		),
	];
}
