import { type Labels, type Overlay, ofKind } from "../manifest.ts";
import { mayEnter, mayLeave } from "../policies.ts";
import type { Secrets } from "../secrets.ts";
import { serviceWorkloads, type Workload } from "../workload.ts";
import { environmentsOf } from "./variables.ts";

const MONITORING = "monitoring";
/** The port that whoever is outside calls. */
const PUBLIC = "http";
const DNS = { number: 53 };

/**
 * Calls between services that the policies stop, and ways that no service has a use for: a pod may reach exactly the
 * services whose `<SERVICE>_RPC_URL` it has, the servers, and names; metrics are for the monitoring alone.
 */
export function networkFaults(overlay: Overlay, store: Secrets): string[] {
	const calls = callsOf(overlay, store);
	const services = serviceWorkloads(overlay);
	return [
		...services.flatMap((from) =>
			services.flatMap((to) => wayFaults(overlay, calls, from, to)),
		),
		...services.flatMap((one) => serverFaults(overlay, one, store)),
		...services.flatMap((one) => metricsFaults(overlay, one)),
	];
}

/** `gateway > accounts:9000` for each address of another service that a service has. */
function callsOf(overlay: Overlay, store: Secrets): Set<string> {
	return new Set(
		environmentsOf(overlay, store)
			.filter(({ file }) => file === "main")
			.flatMap(({ workload, variables }) =>
				Object.entries(variables)
					.filter(([name]) => name.endsWith("_RPC_URL"))
					.map(([, value]) => `${workload} > ${new URL(value).host}`),
			),
	);
}

function wayFaults(
	overlay: Overlay,
	calls: ReadonlySet<string>,
	from: Workload,
	to: Workload,
): string[] {
	const ports = to.pod.containers.flatMap(({ ports = [] }) => ports);
	return ports.flatMap(({ containerPort: number, name = "" }) => {
		const way = `${from.name} > ${to.name}:${number}`;
		const isUsed = calls.has(way);
		const port = { number, name };
		const open = {
			leave: mayLeave(overlay, from.labels, { pod: to.labels }, port),
			enter:
				mayEnter(overlay, to.labels, { pod: from.labels }, port) &&
				(isUsed || name !== PUBLIC),
		};
		return (["leave", "enter"] as const)
			.filter((direction) => open[direction] !== isUsed)
			.map((direction) =>
				isUsed
					? `${way} may not ${direction}`
					: `${way} may ${direction}, and nobody calls`,
			);
	});
}

function serverFaults(
	overlay: Overlay,
	{ name, labels }: Workload,
	store: Secrets,
): string[] {
	const { variables = {} } =
		environmentsOf(overlay, store).find((one) => one.workload === name) ?? {};
	const broker = Number(variables.KAFKA_BROKERS?.split(":").at(-1));
	const servers: [string, Labels, number][] = [
		["PostgreSQL", ofOperator(overlay, "Cluster", "cnpg.io/cluster"), 5432],
		["Kafka", ofOperator(overlay, "Kafka", "strimzi.io/cluster"), broker],
	];
	return [
		...servers
			.filter(
				([, pod, number]) => !mayLeave(overlay, labels, { pod }, { number }),
			)
			.map(([server]) => `${name} may not reach ${server}`),
		...(mayLeave(overlay, labels, { namespace: "kube-system" }, DNS)
			? []
			: [`${name} may resolve no names`]),
	];
}

/** The labels that an operator gives its pods. */
function ofOperator(overlay: Overlay, kind: string, label: string): Labels {
	const [one] = ofKind(overlay, kind);
	return { [label]: one?.metadata.name ?? "" };
}

function metricsFaults(overlay: Overlay, { name, labels, pod }: Workload) {
	const ops = pod.containers
		.flatMap(({ ports = [] }) => ports)
		.find((port) => port.name === "ops");
	const port = { number: ops?.containerPort ?? 0, name: "ops" };
	return mayEnter(overlay, labels, { namespace: MONITORING }, port)
		? []
		: [`${name}: its metrics may not be read`];
}
