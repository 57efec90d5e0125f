import { execFile } from "node:child_process";
import {
	appendFile,
	chmod,
	copyFile,
	cp,
	mkdir,
	mkdtemp,
	readdir,
	rm,
	stat,
	writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { System } from "@airtower/dev/start/system";
import { eventually } from "@airtower/platform/testing/eventually";
import postgres from "postgres";

const run = promisify(execFile);

interface Backup {
	/** The files of the server while it worked, and what it wrote about the backup. */
	readonly base: string;
	/** The write-ahead log, segment by segment, as the server finished it. */
	readonly archive: string;
}

/** Kept apart from the database: without them a restored one is of no use. */
const SECRETS = ["secrets.json", "keys"];
const NOT_IN_A_BASE = new Set(["pg_wal", "postmaster.pid", "postmaster.opts"]);

/** From now on the server keeps its log; it restarts once. */
export async function archiveLog(system: System): Promise<string> {
	const archive = join(system.dataDir, "archive");
	await mkdir(archive);
	await ownByServer(system, archive);
	await asSuperuser(system, async (sql) => {
		await sql`alter system set archive_mode = 'on'`;
		await sql.unsafe(
			`alter system set archive_command = 'cp %p ${archive}/%f'`,
		);
	});
	await system.restart("postgres");
	return archive;
}

/** A base backup by PostgreSQL's own protocol for copies of a running server. */
export async function takeBase(
	system: System,
	archive: string,
): Promise<Backup> {
	const base = join(system.dataDir, "base");
	await asSuperuser(system, async (sql) => {
		await sql`select pg_backup_start('base', true)`;
		await copyFiles(join(system.dataDir, "postgres"), base);
		const [row] = await sql<[{ label: string }]>`
			select labelfile as label
			from pg_backup_stop()
		`;
		await writeFile(join(base, "backup_label"), row.label);
	});
	return { base, archive };
}

/** Resolves once all that is committed now is in the archive. */
export async function finishLog(system: System): Promise<void> {
	await asSuperuser(system, async (sql) => {
		const [row] = await sql<[{ segment: string }]>`
			select pg_walfile_name(pg_switch_wal()) as segment
		`;
		await eventually(async () => {
			const [archived] = await sql<[{ segment: string | null }]>`
				select last_archived_wal as segment
				from pg_stat_archiver
			`;
			if ((archived.segment ?? "") < row.segment)
				throw new Error(`${row.segment} is not archived yet`);
		});
	});
}

/** A data folder elsewhere with the system's secrets, whose server recovers to the moment when it starts. */
export async function restoreTo(
	system: System,
	{ base, archive }: Backup,
	moment: string,
): Promise<string> {
	const dataDir = await mkdtemp(join(tmpdir(), "airtower-restored-"));
	await chmod(dataDir, 0o755);
	for (const name of SECRETS)
		await cp(join(system.dataDir, name), join(dataDir, name), {
			recursive: true,
		});
	const folder = join(dataDir, "postgres");
	await cp(base, folder, { recursive: true });
	for (const name of ["pg_wal/archive_status", "pg_wal/summaries"])
		await mkdir(join(folder, name), { recursive: true });
	await writeFile(join(folder, "recovery.signal"), "");
	const settings = [
		`restore_command = 'cp ${archive}/%f %p'`,
		`recovery_target_time = '${moment}'`,
		"recovery_target_action = 'promote'",
		"archive_mode = 'off'",
	];
	await appendFile(
		join(folder, "postgresql.auto.conf"),
		`${settings.join("\n")}\n`,
	);
	await chmod(folder, 0o700);
	await ownByServer(system, folder);
	return dataDir;
}

/** Files come and go while the server works: its log brings back what a copy has missed. */
async function copyFiles(from: string, to: string): Promise<void> {
	await mkdir(to);
	for (const entry of await readdir(from, { withFileTypes: true })) {
		if (NOT_IN_A_BASE.has(entry.name)) continue;
		const [source, target] = [join(from, entry.name), join(to, entry.name)];
		if (entry.isDirectory()) await copyFiles(source, target);
		else if (entry.isFile())
			await copyFile(source, target).catch((error: NodeJS.ErrnoException) => {
				if (error.code !== "ENOENT") throw error;
			});
	}
}

/** PostgreSQL's own account reads and writes it. */
async function ownByServer(system: System, folder: string): Promise<void> {
	const { uid, gid } = await stat(join(system.dataDir, "postgres"));
	await run("chown", ["-R", `${uid}:${gid}`, folder]);
}

export async function asSuperuser<T>(
	{ adminDatabaseUrl }: Pick<System, "adminDatabaseUrl">,
	work: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
	const sql = postgres(adminDatabaseUrl, { max: 1, onnotice: () => {} });
	try {
		return await work(sql);
	} finally {
		await sql.end({ timeout: 1 });
	}
}

export async function removeFolder(dataDir: string): Promise<void> {
	await rm(dataDir, { recursive: true, force: true });
}
