import { topics } from "@airtower/proto/rules/topics";
import { type Overlay, ofKind } from "../manifest.ts";
import { serviceSettings } from "../settings.ts";
import { workloads } from "../workload.ts";

interface Role {
	readonly name: string;
	readonly login: boolean;
}

/** Services without roles, schemas, users or migrations of their own, and topics other than the contracts'. */
export function serverFaults(overlay: Overlay): string[] {
	const services = Object.keys(serviceSettings);
	const owners = services.map((service) => `${service}_owner`);
	type Cluster = { readonly managed: { readonly roles: readonly Role[] } };
	type Database = {
		readonly schemas: readonly {
			readonly name: string;
			readonly owner: string;
		}[];
	};
	const roles = ofKind<Cluster>(overlay, "Cluster").flatMap(({ spec }) =>
		spec.managed.roles.filter(({ login }) => login).map(({ name }) => name),
	);
	const schemas = ofKind<Database>(overlay, "Database").flatMap(({ spec }) =>
		spec.schemas.map(({ name, owner }) => `${name} of ${owner}`),
	);
	return [
		...differences("roles", roles, [...services, ...owners]),
		...differences(
			"schemas",
			schemas,
			services.map((service) => `${service} of ${service}_owner`),
		),
		...differences("Kafka users", names(overlay, "KafkaUser"), services),
		...differences(
			"topics",
			names(overlay, "KafkaTopic"),
			Object.values(topics),
		),
		...migrationFaults(overlay),
	];
}

/**
 * Each service has a job that migrates as the schema's owner, and no deployment knows that role. A version's jobs have
 * names of their own and stay: another version finds none in its way, and nothing runs one again. What has failed stays
 * too, with its log.
 */
export function migrationFaults(overlay: Overlay): string[] {
	const jobs = workloads(overlay).filter(({ kind }) => kind === "Job");
	const manifests = ofKind<{
		ttlSecondsAfterFinished?: number;
		template: { spec: { restartPolicy: string } };
	}>(overlay, "Job");
	const version = manifests[0]?.metadata.labels?.["app.kubernetes.io/version"];
	const used = (kind: string) =>
		workloads(overlay)
			.filter((one) => one.kind === kind)
			.flatMap(({ pod }) => pod.containers)
			.flatMap(({ envFrom = [] }) => envFrom)
			.flatMap(({ secretRef }) => (secretRef ? [secretRef.name] : []));
	return [
		...differences(
			"migrations",
			jobs.map(({ name }) => name),
			Object.keys(serviceSettings).map(
				(service) => `${service}-migrate-${version}`,
			),
		),
		...manifests
			.filter(({ spec }) => spec.ttlSecondsAfterFinished !== undefined)
			.map(({ metadata }) => `${metadata.name} goes, and is made again`),
		...manifests
			.filter(({ spec }) => spec.template.spec.restartPolicy !== "Never")
			.map(({ metadata }) => `${metadata.name} fails without a log`),
		...used("Deployment")
			.filter((name) => used("Job").includes(name))
			.map((name) => `a deployment has the owner's secret ${name}`),
	];
}

function names(overlay: Overlay, kind: string): string[] {
	return ofKind(overlay, kind).map(({ metadata }) => metadata.name);
}

function differences(
	what: string,
	found: readonly string[],
	wanted: readonly string[],
): string[] {
	const is = found.toSorted().join(", ");
	const should = wanted.toSorted().join(", ");
	return is === should ? [] : [`${what}: ${is}; and not ${should}`];
}
