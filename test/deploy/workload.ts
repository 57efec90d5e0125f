import {
	type Labels,
	type Overlay,
	ofKind,
	type Selector,
} from "./manifest.ts";

type Ref = { readonly name: string };
type KeyRef = Ref & { readonly key: string };

export interface Variable {
	readonly name: string;
	readonly value?: string;
	readonly valueFrom?: {
		readonly secretKeyRef?: KeyRef;
		readonly configMapKeyRef?: KeyRef;
	};
}

export interface Probe {
	readonly httpGet?: { readonly path: string; readonly port: string | number };
	readonly grpc?: { readonly port: number };
	readonly tcpSocket?: { readonly port: string | number };
	readonly exec?: object;
}

type Amounts = Readonly<Partial<Record<string, string>>>;

export interface Container {
	readonly name: string;
	readonly image: string;
	readonly args?: readonly string[];
	readonly env?: readonly Variable[];
	readonly envFrom?: readonly {
		readonly configMapRef?: Ref;
		readonly secretRef?: Ref;
	}[];
	readonly ports?: readonly {
		readonly name?: string;
		readonly containerPort: number;
	}[];
	readonly volumeMounts?: readonly { readonly name: string }[];
	readonly resources?: {
		readonly requests?: Amounts;
		readonly limits?: Amounts;
	};
	readonly securityContext?: {
		readonly allowPrivilegeEscalation?: boolean;
		readonly readOnlyRootFilesystem?: boolean;
		readonly capabilities?: {
			readonly drop?: readonly string[];
			readonly add?: readonly string[];
		};
	};
	readonly startupProbe?: Probe;
	readonly livenessProbe?: Probe;
	readonly readinessProbe?: Probe;
}

interface Volume {
	readonly name: string;
	readonly secret?: { readonly secretName: string };
	readonly configMap?: Ref;
	readonly emptyDir?: object;
	readonly hostPath?: object;
	readonly projected?: {
		readonly sources: readonly {
			readonly secret?: Ref;
			readonly configMap?: Ref;
		}[];
	};
}

interface Pod {
	readonly serviceAccountName?: string;
	readonly automountServiceAccountToken?: boolean;
	readonly enableServiceLinks?: boolean;
	readonly hostNetwork?: boolean;
	readonly terminationGracePeriodSeconds?: number;
	readonly securityContext?: {
		readonly runAsNonRoot?: boolean;
		readonly runAsUser?: number;
		readonly seccompProfile?: { readonly type: string };
	};
	readonly topologySpreadConstraints?: readonly {
		readonly topologyKey: string;
		readonly labelSelector: Selector;
		readonly matchLabelKeys?: readonly string[];
	}[];
	readonly containers: readonly Container[];
	readonly volumes?: readonly Volume[];
}

/** What makes pods: a deployment, a stateful set, a job. */
export interface Workload {
	readonly kind: string;
	readonly name: string;
	/** Of its pods. */
	readonly labels: Labels;
	readonly selector?: Selector;
	readonly replicas?: number;
	/** Pods beyond its number while it is replaced. */
	readonly maxSurge?: number | undefined;
	readonly pod: Pod;
}

interface WorkloadSpec {
	readonly selector?: Selector;
	readonly replicas?: number;
	readonly strategy?: {
		readonly rollingUpdate?: { readonly maxSurge?: number };
	};
	readonly template: {
		readonly metadata: { readonly labels: Labels };
		readonly spec: Pod;
	};
}

const KINDS = ["Deployment", "StatefulSet", "Job"];

export function workloads(overlay: Overlay): Workload[] {
	return KINDS.flatMap((kind) =>
		ofKind<WorkloadSpec>(overlay, kind).map(({ metadata, spec }) => {
			const { template, strategy, ...rest } = spec;
			const { labels } = template.metadata;
			return {
				...rest,
				kind,
				name: metadata.name,
				labels,
				pod: template.spec,
				maxSurge: strategy?.rollingUpdate?.maxSurge,
			};
		}),
	);
}

/** The deployments that serve: `services/<service>/src/main.ts`. */
export function serviceWorkloads(overlay: Overlay): Workload[] {
	return workloads(overlay).filter(({ pod }) =>
		pod.containers.some((one) => programOf(one)?.file === "main"),
	);
}

/** Which of our services a container runs, and which of its programs; nothing for what is not ours. */
export function programOf({
	args = [],
}: Container): { service: string; file: string } | undefined {
	const [, service, file] =
		/^services\/(\w+)\/src\/(main|migrate)\.ts$/.exec(args[0] ?? "") ?? [];
	return service === undefined || file === undefined
		? undefined
		: { service, file };
}
