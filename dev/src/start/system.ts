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
export type ProcessName =
	| ServiceName
	| "messaging-delivery"
	| "smsc"
	| "cloud-api";
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
	/** Query added to the simulator's route, for example { window: "50", binds: "2" }. */
	smppQuery?: Readonly<Record<string, string>>;
	/** Existing Postgres server (a role that may create roles and schemas) in place of the embedded one. */
	databaseUrl?: string;
	/** Extra environment by service, for all its processes; FAULT_POINTS goes here. */
	env?: Partial<Record<ServiceName, ExtraEnv>>;
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
	/** `http://127.0.0.1:port`: gRPC over HTTP/2, gRPC-Web and Connect over HTTP/1.1 too. The gateway has none: its API address. */
	rpcUrl: string;
	/** `http://127.0.0.1:port` with /live, /ready and /metrics. */
	opsUrl: string;
}

export interface CallerTokenOptions {
	audience: ServiceName | "*";
	organization: string;
	role?: "service" | "admin";
	issuer?: string;
	lifetimeSeconds?: number;
}

export interface System {
	readonly dataDir: string;
	/** Public API with its version, `http://127.0.0.1:port/api/v1`. */
	readonly baseUrl: string;
	readonly addresses: Readonly<Record<ServiceName, ServiceAddress>>;
	/** The simulator: its SMPP address, and its HTTP address for its own log and settings. Absent with `smpp`. */
	readonly smsc:
		| { readonly smppUrl: string; readonly controlUrl: string }
		| undefined;
	readonly cloudApi: { readonly url: string };
	readonly cloudApiToken: string;
	readonly kafkaBrokers: readonly string[] | undefined;
	/** Connection string of the owner of all schemas: for invariant checks, never for a service. */
	readonly adminDatabaseUrl: string;
	databaseUrl(owner: ServiceName | "bus"): string;
	/** Ring whose keys sign tokens for every RPC of every service. */
	readonly callerTokenKeys: string;
	callerToken(options: CallerTokenOptions): Promise<string>;
	/** Process id by process, of "postgres" and "kafka" too; undefined while down. */
	pids(): Readonly<Record<string, number | undefined>>;
	/** A signal that ends the process is waited for and the process stays down until `restart`; others return at once. */
	kill(process: ProcessName, signal?: NodeJS.Signals): Promise<void>;
	/** Starts it, after a SIGTERM if it runs, and resolves when it is ready. `env` replaces its extra environment. */
	restart(process: ProcessName, options?: { env?: ExtraEnv }): Promise<void>;
	/** Stops all, gateway first, Postgres last, within 10 s; what does not end in time is killed. Idempotent. */
	stop(): Promise<void>;
}
