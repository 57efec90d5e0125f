import type { Databases } from "./databases.ts";
import type { Secrets } from "./secrets.ts";
import { DELIVERY_SESSIONS } from "./sessions-giving-way.ts";
import type { ExtraEnv, RpcServiceName, ServiceName } from "./system.ts";

export interface SystemPlan {
	readonly secrets: Secrets;
	readonly databases: Databases;
	readonly ports: SystemPorts;
	readonly kafkaBrokers: readonly string[] | undefined;
	/** Connection string of the operator route. */
	readonly smppRoute: string;
}

export interface SystemPorts {
	readonly http: number;
	readonly rpc: Readonly<Record<RpcServiceName, number>>;
	readonly ops: Readonly<Record<ServiceName | "messaging-delivery", number>>;
	readonly smpp: number;
	readonly smscControl: number;
	readonly cloudApi: number;
}

/** Variables of the user's own environment that every process may see: the machine's, none of the product's. */
const PASSED_ON = [
	"PATH",
	"HOME",
	"LANG",
	"TZ",
	"TMPDIR",
	"NODE_EXTRA_CA_CERTS",
	"NODE_COMPILE_CACHE",
];
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal"];

/** The whole environment of one service: its own settings and secrets, nobody else's. */
export function serviceEnv(plan: SystemPlan, service: ServiceName): ExtraEnv {
	return {
		...machineEnv(),
		...commonEnv(plan, service),
		...ownEnv(plan, service),
	};
}

/** The environment of the process of messaging that delivers: nobody calls it. */
export function deliveryEnv(plan: SystemPlan): ExtraEnv {
	const databaseUrl = new URL(plan.databases.localUrlOf("messaging"));
	databaseUrl.searchParams.set("application_name", DELIVERY_SESSIONS);
	return {
		...serviceEnv(plan, "messaging"),
		DATABASE_URL: databaseUrl.href,
		RPC_PORT: "0",
		OPS_PORT: String(plan.ports.ops["messaging-delivery"]),
		DELIVERY: "here",
	};
}

/** What a process needs of the machine, and how much it logs. */
export function machineEnv(): ExtraEnv {
	const passed = PASSED_ON.map((name) => [name, process.env[name]] as const);
	return Object.fromEntries([
		...passed.filter(
			(entry): entry is [string, string] => entry[1] !== undefined,
		),
		...logLevel(),
	]);
}

/** In any case of letters; a word that only other programs know is theirs. */
function logLevel(): [string, string][] {
	const level = process.env.LOG_LEVEL?.toLowerCase() ?? "";
	return LOG_LEVELS.includes(level) ? [["LOG_LEVEL", level]] : [];
}

function commonEnv(plan: SystemPlan, service: ServiceName): ExtraEnv {
	return {
		DATABASE_URL: plan.databases.localUrlOf(service),
		OPS_PORT: String(plan.ports.ops[service]),
		CALLER_TOKEN_KEYS: plan.secrets.callerTokenKeys,
		...busEnv(plan),
	};
}

function busEnv(plan: SystemPlan): ExtraEnv {
	if (plan.kafkaBrokers !== undefined)
		return { EVENT_BUS: "kafka", KAFKA_BROKERS: plan.kafkaBrokers.join(",") };
	return {
		EVENT_BUS: "postgres",
		BUS_DATABASE_URL: plan.databases.localUrlOf("bus"),
	};
}

function ownEnv(plan: SystemPlan, service: ServiceName): ExtraEnv {
	const { rpc } = plan.ports;
	const rpcUrl = (name: RpcServiceName) => localUrl(rpc[name]);
	switch (service) {
		case "accounts":
			return {
				RPC_PORT: String(rpc.accounts),
				API_KEY_PEPPERS: plan.secrets.apiKeyPeppers,
				ENCRYPTION_KEYS: plan.secrets.accountsEncryptionKeys,
				MESSAGING_RPC_URL: rpcUrl("messaging"),
			};
		case "messaging":
			return {
				RPC_PORT: String(rpc.messaging),
				ACCOUNTS_RPC_URL: rpcUrl("accounts"),
				SMPP_ROUTE_URL: plan.smppRoute,
				DELIVERY: "elsewhere",
			};
		case "whatsapp":
			return {
				RPC_PORT: String(rpc.whatsapp),
				ENCRYPTION_KEYS: plan.secrets.whatsappEncryptionKeys,
				WHATSAPP_API_BASE_URL: localUrl(plan.ports.cloudApi),
				WHATSAPP_APP_SECRET: plan.secrets.whatsapp.appSecret,
				WHATSAPP_VERIFY_TOKEN: plan.secrets.whatsapp.verifyToken,
			};
		case "campaigns":
			return {
				RPC_PORT: String(rpc.campaigns),
				MESSAGING_RPC_URL: rpcUrl("messaging"),
			};
		case "webhooks":
			return {
				RPC_PORT: String(rpc.webhooks),
				ENCRYPTION_KEYS: plan.secrets.encryptionKeys,
				// A developer's receiver listens on http://localhost.
				ALLOW_HTTP_WEBHOOKS: "true",
				ALLOW_PRIVATE_WEBHOOK_ADDRESSES: "true",
			};
		case "gateway":
			return {
				HTTP_HOST: "127.0.0.1",
				HTTP_PORT: String(plan.ports.http),
				CURSOR_KEYS: plan.secrets.cursorKeys,
				ACCOUNTS_RPC_URL: rpcUrl("accounts"),
				MESSAGING_RPC_URL: rpcUrl("messaging"),
				WHATSAPP_RPC_URL: rpcUrl("whatsapp"),
				CAMPAIGNS_RPC_URL: rpcUrl("campaigns"),
				WEBHOOKS_RPC_URL: rpcUrl("webhooks"),
			};
	}
}

/** Address of a port of this machine. */
export function localUrl(port: number): string {
	return `http://127.0.0.1:${port}`;
}
