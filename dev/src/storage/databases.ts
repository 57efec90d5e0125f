import postgres from "postgres";
import type { DatabaseRole, Secrets } from "../secrets/secrets.ts";
import { checkMark, otherSecrets, writeMark } from "../secrets/secrets-mark.ts";
import { StartError } from "../start/system.ts";

export interface Databases {
	/** Connection string of the administrator in the product's database. */
	readonly adminUrl: string;
	/** Connection string of one role. */
	urlOf(role: DatabaseRole): string;
	/** The same for a process of our own on this machine: through the server's socket, if there is one. */
	localUrlOf(role: DatabaseRole): string;
}

const DATABASE_NAME = "airtower";
const CONNECT_TIMEOUT_S = 10;
const INSUFFICIENT_PRIVILEGE = "42501";
const INVALID_PASSWORD = "28P01";

/**
 * Makes the product's database on a fresh server of our own; returns the administrator's URL of it.
 * @throws StartError when the server was made with another password
 */
export async function ensureDatabase(serverUrl: string): Promise<string> {
	const sql = connect(serverUrl);
	try {
		const found =
			await sql`select 1 from pg_database where datname = ${DATABASE_NAME}`;
		if (found.length === 0) await sql`create database ${sql(DATABASE_NAME)}`;
	} catch (error) {
		throw isWrongPassword(error) ? otherSecrets() : error;
	} finally {
		await sql.end();
	}
	const url = new URL(serverUrl);
	url.pathname = `/${DATABASE_NAME}`;
	return url.href;
}

/**
 * Makes one role and one schema per service. A role owns its schema and may enter no other:
 * no service reads another's tables.
 * @throws StartError when the server is away, the user may not create roles, or the database belongs to other secrets
 */
export async function ensureRoles(
	adminUrl: string,
	secrets: Secrets,
	socketDir?: string,
): Promise<Databases> {
	const sql = connect(adminUrl);
	try {
		const database = await currentDatabase(sql);
		await sql.begin(async (sql) => {
			await checkMark(sql, secrets);
			await createRoles(sql, database, secrets);
			await writeMark(sql, secrets);
		});
		const urlOf = (role: DatabaseRole) =>
			roleUrl(adminUrl, roleName(database, role), secrets.rolePasswords[role]);
		return {
			adminUrl,
			urlOf,
			localUrlOf: (role) => throughSocket(urlOf(role), socketDir),
		};
	} catch (error) {
		throw describe(error, adminUrl);
	} finally {
		await sql.end();
	}
}

function connect(url: string): postgres.Sql {
	return postgres(url, {
		max: 1,
		connect_timeout: CONNECT_TIMEOUT_S,
		onnotice: () => {},
		connection: { application_name: "airtower-start" },
	});
}

async function currentDatabase(sql: postgres.Sql): Promise<string> {
	const [row] = await sql<
		{ name: string }[]
	>`select current_database() as name`;
	return row?.name ?? DATABASE_NAME;
}

async function createRoles(
	sql: postgres.TransactionSql,
	database: string,
	secrets: Secrets,
): Promise<void> {
	const roles = Object.entries(secrets.rolePasswords);
	for (const [schema, password] of roles)
		await createRole(sql, roleName(database, schema), schema, password);
}

/** Passwords are our own base64url, so that no quote needs escaping in a statement without parameters. */
async function createRole(
	sql: postgres.TransactionSql,
	role: string,
	schema: string,
	password: string,
): Promise<void> {
	const found = await sql`select 1 from pg_roles where rolname = ${role}`;
	if (found.length === 0) await sql`create role ${sql(role)}`;
	await sql.unsafe(
		`alter role "${role.replaceAll('"', '""')}" login password '${password}'`,
	);
	await sql`grant ${sql(role)} to current_user`;
	await sql`create schema if not exists ${sql(schema)} authorization ${sql(role)}`;
}

/** Roles belong to the whole server, so that their names carry the database's. */
function roleName(database: string, role: string): string {
	return `${database}_${role}`;
}

function roleUrl(adminUrl: string, role: string, password: string): string {
	const url = new URL(adminUrl);
	url.username = role;
	url.password = password;
	return url.href;
}

function throughSocket(url: string, socketDir: string | undefined): string {
	if (socketDir === undefined) return url;
	const local = new URL(url);
	local.searchParams.set("host", socketDir);
	return local.href;
}

function isWrongPassword(error: unknown): boolean {
	return (
		error instanceof postgres.PostgresError && error.code === INVALID_PASSWORD
	);
}

function describe(error: unknown, url: string): unknown {
	if (error instanceof StartError) return error;
	if (error instanceof postgres.PostgresError) {
		if (error.code === INSUFFICIENT_PRIVILEGE)
			return new StartError(
				"The user of DATABASE_URL may not create roles and schemas; use one that may, for example the owner of the server.",
			);
		return new StartError(
			`The database refused to be set up: ${error.message}.`,
		);
	}
	const { hostname, port } = new URL(url);
	return new StartError(
		`No PostgreSQL responds at ${hostname}:${port || "5432"}; check DATABASE_URL.`,
	);
}
