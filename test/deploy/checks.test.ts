import { beforeAll, describe, expect, test } from "vitest";
import { connectionFaults } from "./checks/connections.ts";
import { imageFaults } from "./checks/images.ts";
import { networkFaults } from "./checks/network.ts";
import { operatorPodFaults } from "./checks/operator-pods.ts";
import { podFaults } from "./checks/pods.ts";
import { probeFaults } from "./checks/probes.ts";
import { referenceFaults } from "./checks/references.ts";
import { scalingFaults } from "./checks/scaling.ts";
import { selectorFaults } from "./checks/selectors.ts";
import { serverFaults } from "./checks/servers.ts";
import { variableFaults } from "./checks/variables.ts";
import { schemaFaults } from "./definitions.ts";
import { documentationFaults, storeFrom } from "./documented-secrets.ts";
import { canRender, render } from "./kustomize.ts";
import { type Overlay, ofKind } from "./manifest.ts";
import type { Secrets } from "./secrets.ts";

/** Something that is wrong: an object, a value within it, and what is said of it. `undefined` takes the value away. */
type Wrong = readonly [
	object: string,
	path: string,
	value: unknown,
	finding: string,
];

const CONTAINER = "spec.template.spec.containers.0";

describe.skipIf(!(await canRender()))("what is wrong is found", () => {
	let dev: Overlay;
	let production: Overlay;
	let store: Secrets;

	beforeAll(async () => {
		dev = await render("overlays/dev");
		production = await render("overlays/production");
		store = storeFrom(dev);
	});

	const finds = (
		wrongs: readonly Wrong[],
		check: (overlay: Overlay) => string[],
	) => {
		test.each(wrongs)("%s: %s = %j", (object, path, value, finding) => {
			expect(check(production)).toEqual([]);
			expect(
				check(changed(production, object, path, value)).join("\n"),
			).toContain(finding);
		});
	};

	describe("in fields", () =>
		finds(
			[
				[
					"Deployment accounts",
					`${CONTAINER}.imagePolicy`,
					"x",
					"has no field imagePolicy",
				],
				[
					"Deployment accounts",
					`${CONTAINER}.ports.0.containerPort`,
					"9000",
					"must be integer",
				],
				["Service gateway", "metadata.label", {}, "has no field label"],
				[
					"Cluster postgres",
					"spec.postgresql.synchronous.method",
					"some",
					"allowed values",
				],
				["Kafka kafka", "spec.kafka.listeners.0.tls", "yes", "must be boolean"],
				[
					"KafkaTopic accounts.change.v1",
					"spec.partition",
					12,
					"has no field partition",
				],
				[
					"KafkaUser accounts",
					"spec.authorization.acls.0.operations",
					["Reed"],
					"allowed values",
				],
				[
					"Certificate accounts",
					"spec.issuerRef",
					undefined,
					"required property 'issuerRef'",
				],
				[
					"ExternalSecret accounts",
					"spec.secretStore",
					{},
					"has no field secretStore",
				],
				[
					"ScaledObject webhooks",
					"spec.triggers.0.metadata",
					undefined,
					"property 'metadata'",
				],
				[
					"PodMonitor airtower",
					"spec.podMetricsEndpoint",
					[],
					"has no field podMetricsEndpoint",
				],
				[
					"HTTPRoute airtower",
					"spec.rules.0.backendRefs.0.port",
					"http",
					"must be integer",
				],
				[
					"NetworkPolicy gateway",
					"apiVersion",
					"networking.k8s.io/v2",
					"has no NetworkPolicy",
				],
			],
			(overlay) => overlay.flatMap(schemaFaults),
		));

	describe("in selectors", () =>
		finds(
			[
				[
					"Service accounts",
					"spec.selector",
					{ "app.kubernetes.io/name": "account" },
					"selects []",
				],
				["Service accounts", "spec.ports.0.targetPort", "grpc", "no port grpc"],
				[
					"PodDisruptionBudget messaging",
					"spec.selector.matchLabels",
					{},
					"selects [accounts,",
				],
				[
					"PodDisruptionBudget messaging",
					"metadata.name",
					"other",
					"messaging has no disruption",
				],
				[
					"Deployment messaging",
					"spec.selector.matchLabels",
					{},
					"Deployment messaging selects",
				],
				[
					"NetworkPolicy campaigns",
					"spec.podSelector.matchLabels",
					{ name: "x" },
					"selects no pod",
				],
				[
					"PodMonitor airtower",
					"spec.podMetricsEndpoints.0.port",
					"http",
					"accounts is scraped by",
				],
			],
			selectorFaults,
		));

	describe("in pods", () =>
		finds(
			[
				[
					"Deployment accounts",
					"spec.template.spec.automountServiceAccountToken",
					undefined,
					"a token",
				],
				[
					"Deployment accounts",
					"spec.template.spec.securityContext.runAsUser",
					0,
					"as root",
				],
				[
					"Deployment accounts",
					"spec.template.spec.securityContext.seccompProfile",
					undefined,
					"seccomp",
				],
				[
					"Deployment accounts",
					"spec.template.spec.enableServiceLinks",
					undefined,
					"every service",
				],
				[
					"Deployment accounts",
					"spec.template.spec.serviceAccountName",
					"nobody",
					"not there",
				],
				[
					"Deployment accounts",
					"spec.template.spec.terminationGracePeriodSeconds",
					30,
					"is killed",
				],
				[
					"Deployment accounts",
					"spec.template.spec.topologySpreadConstraints",
					[],
					"not spread",
				],
				[
					"ConfigMap common",
					"data.DRAIN_WAIT_S",
					undefined,
					"before every node",
				],
				[
					"Deployment accounts",
					`${CONTAINER}.resources.limits`,
					undefined,
					"more memory",
				],
				[
					"Deployment accounts",
					`${CONTAINER}.resources.requests.cpu`,
					undefined,
					"no cpu",
				],
				[
					"Deployment accounts",
					`${CONTAINER}.resources.limits.ephemeral-storage`,
					undefined,
					"fill the node's disk",
				],
				[
					"Deployment accounts",
					`${CONTAINER}.securityContext.readOnlyRootFilesystem`,
					false,
					"to its root",
				],
				[
					"Job accounts-migrate",
					`${CONTAINER}.securityContext.capabilities`,
					undefined,
					"capabilities",
				],
				[
					"Job accounts-migrate",
					`${CONTAINER}.securityContext.allowPrivilegeEscalation`,
					true,
					"gain",
				],
				[
					"ServiceAccount accounts",
					"automountServiceAccountToken",
					true,
					"with a token",
				],
			],
			(overlay) => podFaults(overlay, store),
		));

	describe("in pods that operators make", () =>
		finds(
			[
				[
					"Kafka kafka",
					"spec.kafka.template",
					undefined,
					"kafkaContainer may run as root",
				],
				[
					"Kafka kafka",
					"spec.kafka.rack",
					{ topologyKey: "topology.kubernetes.io/zone" },
					"initContainer may run as root",
				],
				[
					"Kafka kafka",
					"spec.entityOperator.template.userOperatorContainer",
					undefined,
					"userOperatorContainer keeps capabilities",
				],
				[
					"Kafka kafka",
					"spec.kafka.template.pod",
					{ securityContext: { runAsNonRoot: true } },
					"pod has a context of its own",
				],
				[
					"KafkaNodePool brokers",
					"spec.template",
					{ kafkaContainer: { securityContext: {} } },
					"kafkaContainer has no seccomp profile",
				],
			],
			operatorPodFaults,
		));

	describe("in probes", () =>
		finds(
			[
				[
					"Deployment gateway",
					`${CONTAINER}.readinessProbe.httpGet.port`,
					"op",
					"asks at op",
				],
				[
					"Deployment gateway",
					`${CONTAINER}.readinessProbe.httpGet.path`,
					"/health",
					"asks for /health",
				],
				[
					"Deployment gateway",
					`${CONTAINER}.livenessProbe`,
					{ exec: {} },
					"within the image",
				],
				[
					"Deployment accounts",
					`${CONTAINER}.readinessProbe`,
					{ grpc: { port: 9000 } },
					"speaks no TLS",
				],
			],
			probeFaults,
		));

	describe("in references", () =>
		finds(
			[
				[
					"Kafka kafka",
					"spec.entityOperator.userOperator",
					{},
					"two make the secret accounts",
				],
				[
					"Certificate gateway",
					"spec.secretName",
					"other",
					"gateway: no secret gateway-tls",
				],
				[
					"ExternalSecret accounts-owner",
					"spec.target.name",
					"other",
					"no secret accounts-owner",
				],
				[
					"ExternalSecret postgres-accounts",
					"spec.target.name",
					"other",
					"role accounts: no username",
				],
				[
					"Deployment accounts",
					`${CONTAINER}.envFrom.0.configMapRef.name`,
					"x",
					"no config map x",
				],
				[
					"TriggerAuthentication webhooks-kafka",
					"spec.secretTargetRef.0.key",
					"x",
					"no x in secret",
				],
			],
			(overlay) => referenceFaults(overlay, store),
		));

	describe("in variables", () =>
		finds(
			[
				[
					"ConfigMap gateway",
					"data.HTTP_PROT",
					"8080",
					"gateway has no setting HTTP_PROT",
				],
				[
					"ConfigMap gateway",
					"data.HTTP_PORT",
					"many",
					"Bad settings: HTTP_PORT",
				],
				[
					"ConfigMap campaigns",
					"data.MESSAGING_RPC_URL",
					undefined,
					"MESSAGING_RPC_URL is missing",
				],
				[
					"ExternalSecret webhooks",
					"spec.dataFrom",
					[],
					"DATABASE_URL is missing",
				],
				[
					"Job gateway-migrate",
					`${CONTAINER}.env.0.name`,
					"ROLE",
					"gateway has no setting ROLE",
				],
			],
			(overlay) => variableFaults(overlay, store),
		));

	describe("in the network", () =>
		finds(
			[
				[
					"NetworkPolicy messaging",
					"spec.egress.0.to.0",
					{},
					"messaging > whatsapp:9000 may leave",
				],
				[
					"NetworkPolicy gateway",
					"spec.egress.0.ports",
					undefined,
					"nobody calls",
				],
				[
					"NetworkPolicy gateway",
					"spec.egress.0.ports.0.port",
					9001,
					"gateway > accounts:9000 may not leave",
				],
				[
					"NetworkPolicy accounts",
					"spec.ingress.0.from.2",
					{},
					"campaigns > accounts:9000 may enter",
				],
				[
					"NetworkPolicy accounts",
					"spec.ingress.1",
					undefined,
					"metrics may not be read",
				],
				[
					"NetworkPolicy whatsapp",
					"spec.egress.0.ports",
					undefined,
					"whatsapp > messaging:9000 may leave",
				],
				[
					"NetworkPolicy default",
					"spec.egress.1",
					undefined,
					"may not reach PostgreSQL",
				],
				[
					"NetworkPolicy default",
					"spec.egress.2.ports",
					[{ port: 1 }],
					"may not reach Kafka",
				],
				[
					"NetworkPolicy default",
					"spec.egress.0",
					undefined,
					"may resolve no names",
				],
				[
					"ConfigMap campaigns",
					"data.MESSAGING_RPC_URL",
					"http://accounts:9000",
					"campaigns > accounts:9000 may not leave",
				],
			],
			(overlay) => networkFaults(overlay, store),
		));

	describe("in scaling", () =>
		finds(
			[
				["Deployment gateway", "spec.replicas", 2, "deployment's own number"],
				[
					"Deployment messaging-delivery",
					"spec.replicas",
					2,
					"has fewer than 3",
				],
				[
					"HorizontalPodAutoscaler gateway",
					"spec.scaleTargetRef.name",
					"gate",
					"scales nothing",
				],
				["HorizontalPodAutoscaler gateway", "spec.minReplicas", 1, "too few"],
				[
					"HorizontalPodAutoscaler gateway",
					"spec.metrics.0.resource.target.averageUtilization",
					10,
					"share of cpu",
				],
				[
					"ScaledObject webhooks",
					"spec.maxReplicaCount",
					13,
					"more replicas than partitions",
				],
				[
					"ScaledObject webhooks",
					"spec.triggers.1.metadata.topic",
					"x",
					"follows x, which is not",
				],
				[
					"ScaledObject webhooks",
					"spec.triggers.1.metadata.bootstrapServers",
					"kafka:9093",
					"no broker is",
				],
				[
					"ScaledObject webhooks",
					"spec.triggers.1.metadata.consumerGroup",
					"other",
					"follows other",
				],
			],
			scalingFaults,
		));

	describe("in connections", () =>
		finds(
			[
				[
					"HorizontalPodAutoscaler gateway",
					"spec.maxReplicas",
					30,
					"connections may be needed",
				],
				[
					"ConfigMap common",
					"data.DATABASE_POOL_SIZE",
					"20",
					"connections may be needed",
				],
				[
					"Cluster postgres",
					"spec.postgresql.parameters.max_connections",
					undefined,
					"connections may be needed",
				],
				[
					"Cluster postgres",
					"spec.postgresql.parameters.idle_in_transaction_session_timeout",
					undefined,
					"a session that is left in a transaction",
				],
			],
			(overlay) => connectionFaults(overlay, store),
		));

	describe("in servers and migrations", () =>
		finds(
			[
				["Cluster postgres", "spec.managed.roles.0.login", false, "roles: "],
				[
					"Database airtower",
					"spec.schemas.0.owner",
					"accounts",
					"schemas: accounts of accounts",
				],
				["KafkaUser gateway", "metadata.name", "gate", "Kafka users: "],
				[
					"KafkaTopic accounts.change.v1",
					"metadata.name",
					"accounts.change.v2",
					"topics: ",
				],
				["Job gateway-migrate", "metadata.name", "migrate", "migrations: "],
				[
					"Job gateway-migrate",
					"metadata.name",
					"gateway-migrate",
					"migrations: ",
				],
				[
					"Job gateway-migrate",
					"spec.ttlSecondsAfterFinished",
					300,
					"is made again",
				],
				[
					"Job gateway-migrate",
					"spec.template.spec.restartPolicy",
					"OnFailure",
					"fails without a log",
				],
				[
					"Deployment gateway",
					`${CONTAINER}.envFrom.2.secretRef.name`,
					"gateway-owner",
					"owner's secret",
				],
			],
			serverFaults,
		));

	describe("in images", () =>
		finds(
			[
				[
					"Deployment gateway",
					`${CONTAINER}.image`,
					"airtower",
					"airtower has no version",
				],
				[
					"Deployment gateway",
					`${CONTAINER}.image`,
					"airtower:latest",
					"has no version",
				],
				[
					"Deployment gateway",
					`${CONTAINER}.image`,
					"airtower:0.0.9",
					"run from",
				],
			],
			(overlay) => imageFaults(overlay, "0.1.0"),
		));

	test("in what is documented", () => {
		const wrong = changed(dev, "Secret gateway", "data.OTHER", "eA==");
		expect(documentationFaults(wrong).join()).toContain("OTHER");
	});
});

/** The overlay with one value of one object changed. */
function changed(
	overlay: Overlay,
	object: string,
	path: string,
	value: unknown,
): Overlay {
	const [kind = "", name = ""] = object.split(" ");
	const candidates = ofKind(overlay, kind).filter(({ metadata }) =>
		metadata.name.startsWith(name),
	);
	const found =
		candidates.find(({ metadata }) => metadata.name === name) ?? candidates[0];
	if (found === undefined) throw new Error(`There is no ${object}.`);
	const copy = structuredClone(found);
	const steps = path.split(".");
	const last = steps.pop() ?? "";
	let inner: unknown = copy;
	for (const step of steps) inner = (inner as Record<string, unknown>)[step];
	const parent = inner as Record<string, unknown>;
	if (Array.isArray(parent) && value === undefined)
		parent.splice(Number(last), 1);
	else if (value === undefined) delete parent[last];
	else parent[last] = value;
	return overlay.map((one) => (one === found ? copy : one));
}
