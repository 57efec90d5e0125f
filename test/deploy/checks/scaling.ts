import { type Overlay, ofKind } from "../manifest.ts";
import { serviceWorkloads } from "../workload.ts";
import { faults } from "./pods.ts";

interface Scaler {
	readonly name: string;
	readonly target: string;
	readonly min: number;
	readonly max: number;
	/** Percent of the cpu that a pod asks for. */
	readonly cpu: number;
}
interface Autoscaler {
	readonly scaleTargetRef: { readonly name: string };
	readonly minReplicas: number;
	readonly maxReplicas: number;
	readonly metrics: readonly {
		readonly resource: {
			readonly target: { readonly averageUtilization: number };
		};
	}[];
}
interface ScaledObject {
	readonly scaleTargetRef: { readonly name: string };
	readonly minReplicaCount: number;
	readonly maxReplicaCount: number;
	readonly triggers: readonly {
		readonly type: string;
		readonly metadata: Readonly<Record<string, string>>;
	}[];
}
interface Topic {
	readonly partitions: number;
}

/** Fewer than one in each of three zones is no production. */
const MIN_REPLICAS = 3;
const CPU_PERCENT = { least: 50, most: 85 };

/** Scalers of nothing, with bounds that do not hold, or that a deployment's own number of replicas works against. */
export function scalingFaults(overlay: Overlay): string[] {
	const deployments = serviceWorkloads(overlay);
	const scalers = scalersOf(overlay);
	return [
		...scalers.flatMap(({ name, target, min, max, cpu }) => {
			const deployment = deployments.find((one) => one.name === target);
			const found = {
				"scales nothing": deployment === undefined,
				"works against the deployment's own number":
					deployment?.replicas !== undefined,
				"may leave too few": min < MIN_REPLICAS || max <= min,
				"has no sensible share of cpu":
					cpu < CPU_PERCENT.least || cpu > CPU_PERCENT.most,
			};
			return faults(name, found);
		}),
		...deployments
			.filter(({ name }) => !scalers.some(({ target }) => target === name))
			.filter(({ replicas = 1 }) => replicas < MIN_REPLICAS)
			.map(({ name }) => `${name} has fewer than ${MIN_REPLICAS}`),
		...ofKind<ScaledObject>(overlay, "ScaledObject").flatMap(
			({ metadata, spec }) => lagFaults(overlay, metadata.name, spec),
		),
	];
}

export function scalersOf(overlay: Overlay): Scaler[] {
	return [
		...ofKind<Autoscaler>(overlay, "HorizontalPodAutoscaler").map(
			({ metadata: { name }, spec }) => ({
				name,
				target: spec.scaleTargetRef.name,
				min: spec.minReplicas,
				max: spec.maxReplicas,
				cpu: spec.metrics[0]?.resource.target.averageUtilization ?? 0,
			}),
		),
		...ofKind<ScaledObject>(overlay, "ScaledObject").map(
			({ metadata: { name }, spec }) => ({
				name,
				target: spec.scaleTargetRef.name,
				min: spec.minReplicaCount,
				max: spec.maxReplicaCount,
				cpu: Number(
					spec.triggers.find(({ type }) => type === "cpu")?.metadata.value,
				),
			}),
		),
	];
}

/** Lag is that of a topic that is there, has a partition for each replica, and is read by the group's own user. */
function lagFaults(overlay: Overlay, name: string, spec: ScaledObject) {
	const topics = ofKind<Topic>(overlay, "KafkaTopic");
	const [kafka] = ofKind(overlay, "Kafka");
	const host = `${kafka?.metadata.name}-kafka-bootstrap.${kafka?.metadata.namespace}.svc`;
	return spec.triggers
		.filter(({ type }) => type === "kafka")
		.flatMap(({ metadata: { topic, bootstrapServers, consumerGroup } }) => {
			const found = topics.find(({ metadata }) => metadata.name === topic);
			return faults(name, {
				[`follows ${topic}, which is not there`]: found === undefined,
				"may have more replicas than partitions":
					spec.maxReplicaCount > (found?.spec.partitions ?? 0),
				"asks where no broker is found from KEDA's namespace":
					!bootstrapServers?.startsWith(`${host}:`),
				[`follows ${consumerGroup}`]: !consumerGroup?.startsWith(name),
			});
		});
}
