/** Where the definition of a kind of resource comes from. All of these are under the Apache License 2.0. */
interface DefinitionSource {
	/** A Go module and its version. */
	readonly module: string;
	/** Folder of the module with a file for each kind. */
	readonly folder: string;
	readonly files: readonly string[];
}

/** The kinds of Kubernetes' own that `deploy/k8s` may use. */
export const kubernetes = {
	module: "k8s.io/kubernetes@v1.36.3",
	file: "api/openapi-spec/swagger.json",
	kinds: [
		"io.k8s.api.apps.v1.Deployment",
		"io.k8s.api.apps.v1.StatefulSet",
		"io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler",
		"io.k8s.api.batch.v1.Job",
		"io.k8s.api.core.v1.ConfigMap",
		"io.k8s.api.core.v1.Namespace",
		"io.k8s.api.core.v1.Secret",
		"io.k8s.api.core.v1.Service",
		"io.k8s.api.core.v1.ServiceAccount",
		"io.k8s.api.networking.v1.NetworkPolicy",
		"io.k8s.api.policy.v1.PodDisruptionBudget",
		"io.k8s.api.scheduling.v1.PriorityClass",
	],
};

/** The kinds that operators bring. */
export const operators: readonly DefinitionSource[] = [
	{
		module: "github.com/cloudnative-pg/cloudnative-pg@v1.30.0",
		folder: "config/crd/bases",
		files: [
			"postgresql.cnpg.io_clusters.yaml",
			"postgresql.cnpg.io_databases.yaml",
			"postgresql.cnpg.io_scheduledbackups.yaml",
		],
	},
	{
		module: "github.com/cert-manager/cert-manager@v1.21.2",
		folder: "deploy/crds",
		files: [
			"cert-manager.io_certificates.yaml",
			"cert-manager.io_issuers.yaml",
		],
	},
	{
		module: "github.com/external-secrets/external-secrets@v1.3.2",
		folder: "config/crds/bases",
		files: ["external-secrets.io_externalsecrets.yaml"],
	},
	{
		module: "github.com/kedacore/keda/v2@v2.21.0",
		folder: "config/crd/bases",
		files: [
			"keda.sh_scaledobjects.yaml",
			"keda.sh_triggerauthentications.yaml",
		],
	},
	{
		module: "github.com/prometheus-operator/prometheus-operator@v0.85.0",
		folder: "example/prometheus-operator-crd",
		files: [
			"monitoring.coreos.com_podmonitors.yaml",
			"monitoring.coreos.com_prometheusrules.yaml",
		],
	},
	{
		module: "sigs.k8s.io/gateway-api@v1.6.2",
		folder: "config/crd/standard",
		files: ["gateway.networking.k8s.io_httproutes.yaml"],
	},
];

/** Strimzi has its kinds as classes; its own generator writes their definitions. Version: `dev/kubernetes/pom.xml`. */
export const strimziClasses = [
	"io.strimzi.api.kafka.model.kafka.Kafka",
	"io.strimzi.api.kafka.model.nodepool.KafkaNodePool",
	"io.strimzi.api.kafka.model.topic.KafkaTopic",
	"io.strimzi.api.kafka.model.user.KafkaUser",
];

/** The form of Compose files. */
export const compose = {
	module: "github.com/compose-spec/compose-go/v2@v2.16.2",
	file: "schema/compose-spec.json",
};
