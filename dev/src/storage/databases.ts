import postgres from "postgres";
import { StartError } from "../processes/start-error.ts";
import type { DatabaseRole, Secrets } from "../secrets/secrets.ts";
import { checkMark, otherSecrets, writeMark } from "../secrets/secrets-mark.ts";

export interface Databases {
	readonly adminUrl: string;
	urlOf(role: DatabaseRole): string;
	/** The same for a process of our own on this machine: through the server's socket, if there is one. */
	localUrlOf(role: DatabaseRole): string;
}

const DATABASE_NAME = "airtower";
const CONNECT_TIMEOUT_S = 10;

/** Returns the administrator's URL of the product's database. @throws StartError when the password is another one */
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

/** One role and one schema per service: a role owns its schema and may enter no other. @throws StartError */
export async function ensureRoles(
	adminUrl: string,
	secrets: Secrets,
	socketDir?: string,
): Promise<Databases> {
	const sql = connect(adminUrl);
	try {
		const [row] = await sql<
			[{ name: string }]
		>`select current_database() as name`;
		const database = row.name;
		await sql.begin(async (sql) => {
			await checkMark(sql, secrets);
			for (const [schema, password] of Object.entries(secrets.rolePasswords))
				await createRole(sql, roleName(database, schema), schema, password);
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
		throw describeFailure(error, adminUrl);
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

const INSUFFICIENT_PRIVILEGE = "42501";
const INVALID_PASSWORD = "28P01";

function isWrongPassword(error: unknown): boolean {
	return (
		error instanceof postgres.PostgresError && error.code === INVALID_PASSWORD
	);
}

/** Why a database could not be set up, as a sentence for the user. */
function describeFailure(error: unknown, url: string): unknown {
	if (error instanceof StartError) return error;
	const { hostname, port } = new URL(url);
	if (!(error instanceof postgres.PostgresError))
		return new StartError(
			`No PostgreSQL responds at ${hostname}:${port || "5432"}; check DATABASE_URL.`,
		);
	if (error.code === INSUFFICIENT_PRIVILEGE)
		return new StartError(
			"The user of DATABASE_URL may not create roles and schemas; " +
				"use one that may, for example the owner of the server.",
		);
	return new StartError(`The database refused to be set up: ${error.message}.`);
}
