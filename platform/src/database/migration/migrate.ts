import { setTimeout as delay } from "node:timers/promises";
import { ConfigError } from "../../runtime/config.ts";
import { type Db, dedicatedConnection, type Queryable } from "../database.ts";
import { postgresCode } from "../sql-errors.ts";
import {
	type MigrationFile,
	type MigrationSet,
	readSet,
} from "./migration-set.ts";
import { runStatements } from "./outside-transaction.ts";

const MIGRATION_TIMEOUT_MS = 600_000;

const LOCK_NAME = "airtower.migrate";
const LOCK_POLL_MS = 100;

/** Whoever comes after a statement that waits for a table waits too, so it gives up soon and tries again. */
const TABLE_LOCK_TIMEOUT_MS = 2_000;
const RETRY_MS = 1_000;
const MAX_TRIES = 100;
const LOCK_NOT_AVAILABLE = "55P03";
const DEADLOCK = "40P01";

/** Statements use its `uuidv7()` and the `old` values of `returning`. */
const OLDEST_POSTGRESQL = 18;

const UNDEFINED_TABLE = "42P01";

/**
 * Applies what is missing and returns the names: files that follow each other in one transaction, each file outside of
 * a transaction statement by statement. Files that are recorded and not in the sets are of a newer release: they stay.
 * Throws when an applied file has changed.
 */
export async function migrate(
	sql: Db,
	sets: readonly MigrationSet[],
): Promise<string[]> {
	const files = (await Promise.all(sets.map(readSet))).flat();
	await assertUsable(sql);
	const connection = dedicatedConnection(sql);
	try {
		await lock(connection);
		await createTable(connection);
		const missing = await findMissingFiles(connection, files);
		await applyInOrder(connection, missing);
		return missing.map(({ name }) => name);
	} finally {
		await connection.end({ timeout: 1 });
	}
}

/** Names of the migrations that are not applied yet; all of them when the schema has never been migrated. */
export async function findMissing(
	sql: Db,
	sets: readonly MigrationSet[],
): Promise<string[]> {
	const files = (await Promise.all(sets.map(readSet))).flat();
	const applied = await sql<{ name: string }[]>`
		select name
		from migrations
	`.catch(noneIfUnmigrated);
	const names = new Set(applied.map(({ name }) => name));
	return files.map(({ name }) => name).filter((name) => !names.has(name));
}

function noneIfUnmigrated(error: unknown): { name: string }[] {
	if (postgresCode(error) === UNDEFINED_TABLE) return [];
	throw error;
}

/**
 * Until the connection ends. It is asked for again and again: a statement that waited for it would be one that an index
 * which is built concurrently waits for.
 */
async function lock(sql: Db): Promise<void> {
	for (;;) {
		const [row] = await sql<[{ isLocked: boolean }]>`
			select pg_try_advisory_lock(hashtext(${LOCK_NAME}), hashtext(current_schema())) as "isLocked"
		`;
		if (row.isLocked) return;
		await delay(LOCK_POLL_MS);
	}
}

async function assertUsable(sql: Db): Promise<void> {
	const [row] = await sql<[{ version: string; schema: string | null }]>`
		select current_setting('server_version') as version, current_schema() as schema
	`;
	if (Number.parseInt(row.version, 10) < OLDEST_POSTGRESQL)
		throw new ConfigError(
			`PostgreSQL ${row.version} is too old; Airtower needs PostgreSQL ${OLDEST_POSTGRESQL} or newer.`,
		);
	if (row.schema === null)
		throw new ConfigError(
			"The service's database schema does not exist; create it before the first start, or correct DATABASE_SCHEMA.",
		);
}

async function createTable(sql: Db): Promise<void> {
	await sql`
		create table if not exists migrations (
			name text primary key,
			checksum text not null,
			applied_at timestamptz not null default now()
		)
	`;
}

async function findMissingFiles(
	sql: Db,
	files: readonly MigrationFile[],
): Promise<MigrationFile[]> {
	const rows = await sql<{ name: string; checksum: string }[]>`
		select name, checksum
		from migrations
	`;
	const applied = new Map(rows.map((row) => [row.name, row.checksum]));
	const edited = files.find(
		({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum,
	);
	if (edited !== undefined)
		throw new Error(
			`Migration ${edited.name} was edited after it had been applied; restore the file. ` +
				"A database from before release 0.1.0 is to be made anew.",
		);
	return files.filter(({ name }) => !applied.has(name));
}

async function applyInOrder(
	sql: Db,
	files: readonly MigrationFile[],
): Promise<void> {
	let together: MigrationFile[] = [];
	for (const file of files) {
		if (!file.isOutsideTransaction) {
			together.push(file);
			continue;
		}
		await applyTogether(sql, together);
		together = [];
		await runStatements(sql, file.text);
		await record(sql, file);
	}
	await applyTogether(sql, together);
}

/** In one transaction, which begins anew where another one keeps a table for long. */
async function applyTogether(
	sql: Db,
	files: readonly MigrationFile[],
): Promise<void> {
	for (let tries = 1; files.length > 0; tries++) {
		try {
			await sql.begin(async (sql) => {
				await sql.unsafe(`
					set local transaction_timeout = 0;
					set local statement_timeout = ${MIGRATION_TIMEOUT_MS};
					set local lock_timeout = ${TABLE_LOCK_TIMEOUT_MS};
				`);
				for (const file of files) {
					await sql.unsafe(file.text);
					await record(sql, file);
				}
			});
			return;
		} catch (error) {
			if (tries === MAX_TRIES || !isContended(error)) throw error;
			await delay(RETRY_MS);
		}
	}
}

function isContended(error: unknown): boolean {
	const code = postgresCode(error);
	return code === LOCK_NOT_AVAILABLE || code === DEADLOCK;
}

async function record(
	sql: Queryable,
	{ name, checksum }: MigrationFile,
): Promise<void> {
	await sql`insert into migrations ${sql({ name, checksum })}`;
}
