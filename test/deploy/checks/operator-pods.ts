import { type Manifest, nameOf, type Overlay, ofKind } from "../manifest.ts";

interface Context {
	readonly allowPrivilegeEscalation?: boolean;
	readonly runAsNonRoot?: boolean;
	readonly capabilities?: {
		readonly drop?: readonly string[];
		readonly add?: readonly string[];
	};
	readonly seccompProfile?: { readonly type: string };
}
type Template = Readonly<
	Partial<Record<string, { readonly securityContext?: Context }>>
>;
interface Part {
	readonly template?: Template;
	readonly rack?: object;
}
interface Kafka {
	readonly kafka: Part;
	readonly entityOperator?: Part & {
		readonly topicOperator?: object;
		readonly userOperator?: object;
	};
	readonly kafkaExporter?: Part;
	readonly cruiseControl?: Part;
}

const LEVEL = "pod-security.kubernetes.io/enforce";

/**
 * Containers of Strimzi's pods that a namespace of level "restricted" refuses. A pod's own context would replace the
 * one that gives the brokers' volumes to their group. CloudNativePG makes its pods so by itself.
 */
export function operatorPodFaults(overlay: Overlay): string[] {
	const isRestricted = ofKind(overlay, "Namespace").some(
		({ metadata }) => metadata.labels?.[LEVEL] === "restricted",
	);
	if (!isRestricted) return [];
	return [
		...ofKind<Kafka>(overlay, "Kafka").flatMap(kafkaFaults),
		...ofKind<Part>(overlay, "KafkaNodePool").flatMap((pool) =>
			[
				...Object.entries(pool.spec.template ?? {})
					.filter(([name]) => name.endsWith("ontainer"))
					.flatMap(([name, one]) => contextFaults(name, one?.securityContext)),
				...podFaults(pool.spec),
			].map((fault) => `${nameOf(pool)}: ${fault}`),
		),
	];
}

function kafkaFaults(manifest: Manifest<Kafka>): string[] {
	const { kafka, entityOperator, kafkaExporter, cruiseControl } = manifest.spec;
	const containers: [string, Part | undefined, unknown][] = [
		["kafkaContainer", kafka, kafka],
		["initContainer", kafka, kafka.rack],
		["topicOperatorContainer", entityOperator, entityOperator?.topicOperator],
		["userOperatorContainer", entityOperator, entityOperator?.userOperator],
		["container", kafkaExporter, kafkaExporter],
		["cruiseControlContainer", cruiseControl, cruiseControl],
	];
	return [
		...containers
			.filter(([, , isMade]) => isMade !== undefined)
			.flatMap(([name, part]) =>
				contextFaults(name, part?.template?.[name]?.securityContext),
			),
		...podFaults(kafka),
	].map((fault) => `${nameOf(manifest)}: ${fault}`);
}

function contextFaults(name: string, context: Context = {}): string[] {
	const { capabilities, seccompProfile } = context;
	const found = {
		"may gain rights": context.allowPrivilegeEscalation !== false,
		"may run as root": context.runAsNonRoot !== true,
		"keeps capabilities":
			capabilities?.drop?.join() !== "ALL" || capabilities.add !== undefined,
		"has no seccomp profile": seccompProfile?.type !== "RuntimeDefault",
	};
	return Object.entries(found)
		.filter(([, isWrong]) => isWrong)
		.map(([what]) => `${name} ${what}`);
}

function podFaults({ template }: Part): string[] {
	return template?.pod?.securityContext === undefined
		? []
		: ["pod has a context of its own"];
}
