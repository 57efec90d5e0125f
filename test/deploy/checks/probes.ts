import type { Overlay } from "../manifest.ts";
import {
	type Container,
	type Probe,
	serviceWorkloads,
	type Variable,
} from "../workload.ts";

const PROBES = ["startupProbe", "livenessProbe", "readinessProbe"] as const;
const PATHS = ["/live", "/ready"];

/** Probes that are missing, ask at a port that is not there, or in a way that this image has not. */
export function probeFaults(overlay: Overlay): string[] {
	return serviceWorkloads(overlay).flatMap(({ name, pod }) =>
		pod.containers.flatMap((container) =>
			PROBES.flatMap((kind) =>
				faultsOf(container, container[kind]).map(
					(fault) => `${name}: ${kind} ${fault}`,
				),
			),
		),
	);
}

function faultsOf(container: Container, probe: Probe | undefined): string[] {
	const { httpGet, grpc } = probe ?? {};
	if (httpGet === undefined && grpc === undefined)
		return ["is missing, or needs a program within the image"];
	const port = httpGet?.port ?? grpc?.port ?? 0;
	const ports = container.ports ?? [];
	const isThere = ports.some(
		({ name, containerPort }) => name === port || containerPort === port,
	);
	const withTls = container.env?.some(
		({ name }: Variable) => name === "RPC_TLS_CERT_FILE",
	);
	return [
		...(isThere ? [] : [`asks at ${port}, where nothing listens`]),
		...(grpc && withTls ? ["speaks no TLS, and the server does"] : []),
		...(httpGet && !PATHS.includes(httpGet.path)
			? [`asks for ${httpGet.path}`]
			: []),
	];
}
