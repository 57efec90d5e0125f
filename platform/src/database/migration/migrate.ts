import { type Db, dedicatedConnection, type Tx } from "../database.ts";
import { postgresCode } from "../sql-errors.ts";
import {
	type MigrationFile,
	type MigrationSet,
	readSet,
} from "./migration-set.ts";

const MIGRATION_TIMEOUT_MS = 600_000;

const LOCK_NAME = "airtower.migrate";

/** Statements use its `uuidv7()` and the `old` values of `returning`. */
const OLDEST_POSTGRESQL = 18;

const UNDEFINED_TABLE = "42P01";

/** Applies what is missing in one transaction and returns the names. Throws when an applied file has changed. */
export async function migrate(
	sql: Db,
	sets: readonly MigrationSet[],
): Promise<string[]> {
	const files = (await Promise.all(sets.map(readSet))).flat();
	await assertVersion(sql);
	const connection = dedicatedConnection(sql);
	try {
		return await applyAll(connection, files);
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

async function applyAll(
	sql: Db,
	files: readonly MigrationFile[],
): Promise<string[]> {
	return sql.begin(async (sql) => {
		await sql.unsafe(`
			set local transaction_timeout = 0;
			set local statement_timeout = ${MIGRATION_TIMEOUT_MS};
		`);
		await sql`select pg_advisory_xact_lock(hashtext(${LOCK_NAME}), hashtext(current_schema()))`;
		await createTable(sql);
		const applied = await sql<{ name: string; checksum: string }[]>`
			select name, checksum
			from migrations
		`;
		return applyMissing(
			sql,
			files,
			new Map(applied.map((row) => [row.name, row.checksum])),
		);
	}) as Promise<string[]>;
}

async function assertVersion(sql: Db): Promise<void> {
	const [row] = await sql<[{ version: string }]>`
		select current_setting('server_version') as version
	`;
	if (Number.parseInt(row.version, 10) < OLDEST_POSTGRESQL)
		throw new Error(
			`PostgreSQL ${row.version} is too old; Airtower needs PostgreSQL ${OLDEST_POSTGRESQL} or newer.`,
		);
}

async function createTable(sql: Tx): Promise<void> {
	try {
		await sql`
			create table if not exists migrations (
				name text primary key,
				checksum text not null,
				applied_at timestamptz not null default now()
			)
		`;
	} catch (error) {
		if (postgresCode(error) === "3F000")
			throw new Error(
				"The service's database schema does not exist; create it before the first start.",
				{ cause: error },
			);
		throw error;
	}
}

async function applyMissing(
	sql: Tx,
	files: readonly MigrationFile[],
	applied: ReadonlyMap<string, string>,
): Promise<string[]> {
	const fresh: string[] = [];
	for (const file of files) {
		const checksum = applied.get(file.name);
		if (checksum === file.checksum) continue;
		if (checksum !== undefined)
			throw new Error(
				`Migration ${file.name} was edited after it had been applied; restore the file. ` +
					"A database from before release 0.1.0 is to be made anew.",
			);
		await sql.unsafe(file.text);
		await sql`insert into migrations ${sql({ name: file.name, checksum: file.checksum })}`;
		fresh.push(file.name);
	}
	return fresh;
}
