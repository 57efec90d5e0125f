import { campaignsEnv, machineEnv, messagingEnv } from "./machine-env.ts";
import type { ExtraEnv, RpcServiceName, ServiceName } from "./system.ts";
import { localUrl, type SystemPlan } from "./system-plan.ts";

const CALLED: Readonly<Record<ServiceName, readonly RpcServiceName[]>> = {
	accounts: ["messaging"],
	messaging: ["accounts"],
	whatsapp: [],
	campaigns: ["messaging"],
	webhooks: [],
	gateway: ["accounts", "messaging", "whatsapp", "campaigns", "webhooks"],
};

/** The whole environment of one service: its own settings and secrets, nobody else's. */
export function serviceEnv(plan: SystemPlan, service: ServiceName): ExtraEnv {
	const { databases, ports, secrets } = plan;
	const called = CALLED[service].map((name) => [
		`${name.toUpperCase()}_RPC_URL`,
		localUrl(ports.rpc[name]),
	]);
	return {
		...machineEnv(),
		...busEnv(plan),
		...Object.fromEntries(called),
		...(service === "gateway" ? {} : { RPC_PORT: String(ports.rpc[service]) }),
		DATABASE_URL: databases.localUrlOf(service),
		OPS_PORT: String(ports.ops[service]),
		CALLER_TOKEN_KEYS: secrets.callerTokenKeys,
		...ownEnv(plan)[service],
	};
}

/** The environment of the process of messaging that delivers: nobody calls it. */
export function deliveryEnv(plan: SystemPlan): ExtraEnv {
	return {
		...serviceEnv(plan, "messaging"),
		RPC_PORT: "0",
		OPS_PORT: String(plan.ports.ops["messaging-delivery"]),
		DELIVERY: "here",
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
			...{ SMPP_ROUTE_URL: smppRoute, DELIVERY: "elsewhere" },
		},
		whatsapp: {
			ENCRYPTION_KEYS: secrets.whatsappEncryptionKeys,
			WHATSAPP_API_BASE_URL: localUrl(ports.cloudApi),
			WHATSAPP_APP_SECRET: secrets.whatsapp.appSecret,
			WHATSAPP_VERIFY_TOKEN: secrets.whatsapp.verifyToken,
		},
		campaigns: campaignsEnv(),
		webhooks: {
			ENCRYPTION_KEYS: secrets.encryptionKeys,
			// A developer's receiver listens on http://localhost.
			ALLOW_HTTP_WEBHOOKS: "true",
			ALLOW_PRIVATE_WEBHOOK_ADDRESSES: "true",
		},
		gateway: {
			HTTP_HOST: "127.0.0.1",
			HTTP_PORT: String(ports.http),
			CURSOR_KEYS: secrets.cursorKeys,
		},
	};
}
