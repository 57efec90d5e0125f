import type { PortPicker } from "../ports/port-picker.ts";
import type { ProcessEvent } from "../processes/supervision.ts";

export { StartError } from "../processes/start-error.ts";

/** The services of this repository, in the order in which they are stopped: the edge first. */
export const serviceNames = [
	"gateway",
	"campaigns",
	"messaging",
	"whatsapp",
	"webhooks",
	"accounts",
] as const;
export type ServiceName = (typeof serviceNames)[number];
/** Messaging is two processes. */
export type ServiceProcess = ServiceName | "messaging-delivery";
export type ProcessName =
	| ServiceProcess
	/** Replicas from the second one on. */
	| `${ServiceProcess}-${number}`
	| "balancer"
	| "smsc"
	| "smsc-2"
	| "http-sms"
	| "cloud-api";
/** With the servers that the system starts for itself. */
export type AnyProcessName = ProcessName | "postgres" | "kafka";
/** The services that others call; the gateway only serves HTTP. */
export type RpcServiceName = Exclude<ServiceName, "gateway">;

/** Environment variables added to a service's own; they win over what the system sets. */
export type ExtraEnv = Readonly<Record<string, string>>;

export interface SystemOptions {
	dataDir: string;
	/** Public API port; a free one when absent. A busy one rejects with a StartError. */
	httpPort?: number;
	/** `true` starts a real broker under dataDir, a list of "host:port" uses running ones, absent is the Postgres bus. */
	kafka?: boolean | readonly string[];
	/** Let the own broker compile for throughput; slower to start. Default false. */
	optimizedKafka?: boolean;
	smpp?: string;
	/** Simulated operators, each with a route of its own: 1 to 3, 1 when absent. Only without `smpp`. */
	routes?: number;
	/** Query added to the simulator's route, for example { window: "50", binds: "2" }. */
	smppQuery?: Readonly<Record<string, string>>;
	/** Existing Postgres server (a role that may create roles and schemas) in place of the embedded one. */
	databaseUrl?: string;
	/** Extra environment by service, for all its processes; FAULT_POINTS goes here. */
	env?: Partial<Record<ServiceName, ExtraEnv>>;
	/** Processes of each service, and of messaging's delivery; default 1. Each has a loopback address of its own. */
	replicas?: number;
	/** Days that logs are kept, lines about single requests apart; 7 when absent. */
	logDays?: number | undefined;
	/** The command that asks for the same on another HTTP port, for the refusal of a busy one. */
	commandFor?: (port: number) => string;
	/** Try the well-known ports for RPC, ops and SMPP before free ones; default false. */
	wellKnownPorts?: boolean;
	onEvent?: (event: SystemEvent) => void;
	/** Chooses the ports; other systems on this machine choose others. */
	claimPorts?: () => Promise<PortPicker>;
	signal?: AbortSignal;
	/** Kills everything at once, during the start and after it. */
	killSignal?: AbortSignal;
}

export type SystemEvent =
	| { kind: "ready"; part: string; afterMs: number }
	| ProcessEvent;

export interface ServiceAddress {
	/** `http://127.0.0.1:port`: gRPC over HTTP/2, gRPC-Web and Connect over HTTP/1.1 too. Of the gateway, its API. */
	rpcUrl: string;
	/** `http://127.0.0.1:port` with /live, /ready and /metrics. */
	opsUrl: string;
}

/** A simulated operator beside the first one, and its route. */
export interface OtherOperator {
	readonly code: string;
	readonly process: ProcessName;
	/** What is told to whoever tries it. */
	readonly manner: string;
	/** Where the route goes. */
	readonly url: string;
	/** HTTP address for its log and settings. */
	readonly controlUrl: string;
}

export interface System {
	readonly dataDir: string;
	/** Public API with its version, `http://127.0.0.1:port/api/v1`. */
	readonly baseUrl: string;
	readonly addresses: Readonly<Record<ServiceName, ServiceAddress>>;
	/** The ops address of the process of messaging that delivers. */
	readonly deliveryOpsUrl: string;
	/** The simulator: its SMPP address, and its HTTP address for its own log and settings. Absent with `smpp`. */
	readonly smsc:
		| { readonly smppUrl: string; readonly controlUrl: string }
		| undefined;
	/** The operators that are simulated beside it. */
	readonly otherOperators: readonly OtherOperator[];
	readonly cloudApi: { readonly url: string };
	readonly cloudApiToken: string;
	readonly kafkaBrokers: readonly string[] | undefined;
	/** Connection string of the owner of all schemas: for invariant checks, never for a service. */
	readonly adminDatabaseUrl: string;
	databaseUrl(owner: ServiceName | "bus"): string;
	/** The private keys of the services and admins, and the public ones that all trust. */
	readonly keysDir: string;
	/** Process id by process, of "postgres" and "kafka" too; undefined while down. */
	pids(): Readonly<Record<string, number | undefined>>;
	/** A signal that ends the process is waited for and the process stays down until `restart`; others return at once. */
	kill(process: AnyProcessName, signal?: NodeJS.Signals): Promise<void>;
	/** Starts it, after a SIGTERM if it runs, and resolves when it is ready. `env` replaces its extra environment. */
	restart(process: AnyProcessName, options?: { env?: ExtraEnv }): Promise<void>;
	/** Stops all, gateway first, Postgres last, within 10 s; what does not end in time is killed. Idempotent. */
	stop(): Promise<void>;
}
