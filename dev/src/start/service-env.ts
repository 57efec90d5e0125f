import type { Backend } from "../balancer/balancer.ts";
import { keyFile, trustedKeysFile } from "../secrets/identity-keys.ts";
import {
	campaignsEnv,
	egressEnv,
	machineEnv,
	messagingEnv,
} from "./machine-env.ts";
import type { ExtraEnv, RpcServiceName, ServiceName } from "./system.ts";
import {
	gatewayHost,
	localUrl,
	readyUrl,
	replicaHost,
	replicaNumbers,
	type SystemPlan,
} from "./system-plan.ts";

const CALLED: Readonly<Record<ServiceName, readonly RpcServiceName[]>> = {
	accounts: ["messaging"],
	messaging: ["accounts"],
	whatsapp: [],
	campaigns: ["messaging"],
	webhooks: [],
	gateway: ["accounts", "messaging", "whatsapp", "campaigns", "webhooks"],
};

/** Connections of each replica: the embedded server has 200 for all. */
const REPLICA_POOL_SIZE = "5";
/** The balancer asks each gateway every 200 ms whether it is ready. */
const DRAIN_WAIT_S = "2";

/** The whole environment of one service: its own settings and secrets, nobody else's. */
export function serviceEnv(
	plan: SystemPlan,
	service: ServiceName,
	replica: number,
): ExtraEnv {
	const { databases, ports, keysDir } = plan;
	const called = CALLED[service].map((name) => [
		`${name.toUpperCase()}_RPC_URL`,
		replicaNumbers(plan)
			.map((one) => localUrl(ports.rpc[name], replicaHost(one)))
			.join(),
	]);
	return {
		...machineEnv(),
		...busEnv(plan),
		...Object.fromEntries(called),
		...(service === "gateway"
			? gatewayEnv(plan, replica)
			: {
					RPC_HOST: replicaHost(replica),
					RPC_PORT: String(ports.rpc[service]),
					RPC_OPEN_REFLECTION: "true",
				}),
		...(plan.replicas > 1 && { DATABASE_POOL_SIZE: REPLICA_POOL_SIZE }),
		DATABASE_URL: databases.localUrlOf(service),
		OPS_HOST: replicaHost(replica),
		OPS_PORT: String(ports.ops[service]),
		IDENTITY_KEY_FILE: keyFile(keysDir, service),
		TRUSTED_KEYS_FILE: trustedKeysFile(keysDir),
		...ownEnv(plan)[service],
	};
}

function gatewayEnv(plan: SystemPlan, replica: number): ExtraEnv {
	return {
		HTTP_HOST: gatewayHost(plan, replica),
		...(plan.replicas > 1 && { DRAIN_WAIT_S }),
	};
}

/** The environment of the process of messaging that delivers: nobody calls it. */
export function deliveryEnv(plan: SystemPlan, replica: number): ExtraEnv {
	return {
		...serviceEnv(plan, "messaging", replica),
		RPC_PORT: "0",
		OPS_PORT: String(plan.ports.ops["messaging-delivery"]),
		MESSAGING_ROLE: "all",
	};
}

export function balancerEnv(plan: SystemPlan): ExtraEnv {
	const { http, ops } = plan.ports;
	const targets = replicaNumbers(plan).map((replica) => ({
		host: gatewayHost(plan, replica),
		port: http,
		readyUrl: readyUrl(ops.gateway, replica),
	}));
	return {
		...machineEnv(),
		BALANCER_PORT: String(http),
		BALANCER_TARGETS: JSON.stringify(targets satisfies Backend[]),
	};
}

function busEnv({ kafkaBrokers, databases }: SystemPlan): ExtraEnv {
	return kafkaBrokers === undefined
		? { EVENT_BUS: "postgres", BUS_DATABASE_URL: databases.localUrlOf("bus") }
		: { EVENT_BUS: "kafka", KAFKA_BROKERS: kafkaBrokers.join(",") };
}

function ownEnv({
	ports,
	secrets,
	smppRoute,
}: SystemPlan): Readonly<Record<ServiceName, ExtraEnv>> {
	return {
		accounts: {
			API_KEY_PEPPERS: secrets.apiKeyPeppers,
			ENCRYPTION_KEYS: secrets.accountsEncryptionKeys,
		},
		messaging: {
			...messagingEnv(),
			...egressEnv(),
			// Look-alikes of operators listen on http://localhost.
			ALLOW_HTTP_OPERATORS: "true",
			ALLOW_PRIVATE_OPERATOR_ADDRESSES: "true",
			ENCRYPTION_KEYS: secrets.messagingEncryptionKeys,
			SMPP_ROUTE_URL: smppRoute,
			MESSAGING_ROLE: "accept",
		},
		whatsapp: {
			ENCRYPTION_KEYS: secrets.whatsappEncryptionKeys,
			WHATSAPP_API_BASE_URL: localUrl(ports.cloudApi),
			WHATSAPP_APP_SECRET: secrets.whatsapp.appSecret,
			WHATSAPP_VERIFY_TOKEN: secrets.whatsapp.verifyToken,
		},
		campaigns: campaignsEnv(),
		webhooks: {
			...egressEnv(),
			ENCRYPTION_KEYS: secrets.encryptionKeys,
			// A developer's receiver listens on http://localhost.
			ALLOW_HTTP_WEBHOOKS: "true",
			ALLOW_PRIVATE_WEBHOOK_ADDRESSES: "true",
			ALLOW_PRIVILEGED_WEBHOOK_PORTS: "true",
		},
		gateway: {
			HTTP_PORT: String(ports.http),
			CURSOR_KEYS: secrets.cursorKeys,
		},
	};
}
