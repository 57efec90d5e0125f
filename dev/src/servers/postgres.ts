import { resolve } from "node:path";
import { freePort } from "@airtower/platform/runtime/ports";
import { SupervisedProcess } from "../processes/supervised-process.ts";
import { type Supervision, unsupervised } from "../processes/supervision.ts";
import { ensureCluster } from "./postgres-cluster.ts";
import { hasCrashed, readStatus, stopOrphan } from "./postgres-status.ts";

export interface PostgresOptions {
	readonly dataDir: string;
	/** Password of the superuser `postgres`; set when the cluster is made. */
	readonly password: string;
	/** TCP port on 127.0.0.1; a free one when absent. */
	readonly port?: number;
	readonly settings?: Readonly<Record<string, string>>;
	/** A server that nobody supervises stays down when it crashes. */
	readonly supervision?: Partial<Supervision>;
}

export interface EmbeddedPostgres {
	/** Superuser connection to the database `postgres`. */
	readonly url: string;
	readonly ports: readonly number[];
	/** Folder of its Unix-domain socket, cheaper than TCP; undefined when its path does not do for one. */
	readonly socketDir: string | undefined;
	readonly process: SupervisedProcess;
}

/** PostgreSQL ends its sessions and writes a checkpoint. */
const FAST_SHUTDOWN = "SIGINT";
/** It ends at once, its workers with it, and the next start recovers; they would outlive a SIGKILL for a while. */
const IMMEDIATE_SHUTDOWN = "SIGQUIT";
/** A socket's whole path has at most 107 bytes on Linux and 103 on macOS; its name takes 17 of them. */
const MAX_SOCKET_DIR_BYTES = 80;
/** The server takes a list of folders, the services' driver a list of hosts with their ports. */
const ENDS_SOCKET_DIR = /[,:]/;

const DEFAULT_SETTINGS = {
	listen_addresses: "127.0.0.1",
	max_connections: "200",
	shared_buffers: "256MB",
	max_wal_size: "4GB",
	wal_compression: "on",
	log_min_messages: "warning",
	timezone: "UTC",
	// A person's session that is left with a row locked would hold up the sends of everybody.
	idle_in_transaction_session_timeout: "1min",
};

export async function startPostgres(
	options: PostgresOptions,
): Promise<EmbeddedPostgres> {
	const server = await createPostgres(options);
	await server.process.start();
	return server;
}

/** One that was left on the folder is stopped first, when it starts. @throws Error in one sentence */
export async function createPostgres(
	options: PostgresOptions,
): Promise<EmbeddedPostgres> {
	const dataDir = resolve(options.dataDir);
	const port = options.port ?? (await freePort());
	const socketDir = socketDirOf(dataDir);
	const { server, account } = await ensureCluster(dataDir, options.password);
	const settings = {
		...DEFAULT_SETTINGS,
		unix_socket_directories: socketDir ?? "",
		...options.settings,
	};
	const flags = Object.entries(settings).flatMap((each) => [
		"-c",
		each.join("="),
	]);
	const args = ["-D", dataDir, "-p", String(port), ...flags];
	return {
		url: `postgres://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${port}/postgres`,
		ports: [port],
		socketDir,
		process: new SupervisedProcess({
			...unsupervised(`${dataDir}.log`),
			...options.supervision,
			name: "postgres",
			title: "PostgreSQL",
			command: {
				...account.command(server, args),
				env: process.env,
				cwd: dataDir,
				mark: dataDir,
				stopSignal: FAST_SHUTDOWN,
			},
			killSignal: IMMEDIATE_SHUTDOWN,
			prepare: () => stopOrphan(dataDir, FAST_SHUTDOWN),
			isReady: async (pid) => {
				const status = await readStatus(dataDir);
				return status.pid === pid && status.state === "ready";
			},
			// How long a start takes is up to the last crash.
			readyTimeoutMs: Number.POSITIVE_INFINITY,
			slowStart: () => slowStartText(dataDir),
			isQuiet: true,
		}),
	};
}

async function slowStartText(dataDir: string): Promise<string> {
	return (await hasCrashed(dataDir))
		? "recovers from a crash: that may take minutes"
		: "still starts";
}

/** The folder of the cluster itself: only the server's user and root may enter it. */
function socketDirOf(dataDir: string): string | undefined {
	const fits = Buffer.byteLength(dataDir) <= MAX_SOCKET_DIR_BYTES;
	return fits && !ENDS_SOCKET_DIR.test(dataDir) ? dataDir : undefined;
}
