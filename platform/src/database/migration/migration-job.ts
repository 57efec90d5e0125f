import { z } from "zod";
import { type Env, readConfig, serviceConfig } from "../../runtime/config.ts";
import { startupSentence } from "../../runtime/lifecycle.ts";
import { createLogger } from "../../runtime/log.ts";
import { connectDatabase, type Db } from "../database.ts";
import { migrateAtStart } from "./migrate-at-start.ts";
import type { MigrationSet } from "./migration-set.ts";

/** {@link migrateOnce} as a process of its own: a failure is one sentence on stderr and exit code 1. */
export async function runMigrations(
	service: string,
	migrations: readonly MigrationSet[],
): Promise<void> {
	try {
		await migrateOnce(service, migrations, process.env);
	} catch (error) {
		process.stderr.write(`${service}: ${startupSentence(error)}\n`);
		process.exitCode = 1;
	}
}

/**
 * Applies a service's migrations as the owner of its schema; `SERVICE_ROLE`, when set, may then use the tables.
 * Throws ConfigError naming every bad setting.
 */
export async function migrateOnce(
	service: string,
	migrations: readonly MigrationSet[],
	env: Env,
): Promise<void> {
	const config = readConfig(migrationSettings(service), env);
	const log = createLogger({ service, level: config.LOG_LEVEL });
	const sql = connectDatabase({
		url: config.DATABASE_URL,
		schema: config.DATABASE_SCHEMA,
		poolSize: 1,
		applicationName: `${service}-migrate`,
	});
	try {
		await migrateAtStart(sql, migrations, log);
		if (config.SERVICE_ROLE !== undefined)
			await grantUse(sql, config.SERVICE_ROLE);
		log.info("the schema is up to date");
	} finally {
		await sql.end({ timeout: 1 });
	}
}

/** What a migration job reads from its environment. */
export function migrationSettings(service: string) {
	const { DATABASE_URL, DATABASE_SCHEMA, LOG_LEVEL } = serviceConfig(service);
	return z.object({
		DATABASE_URL,
		DATABASE_SCHEMA,
		LOG_LEVEL,
		SERVICE_ROLE: z.string().optional(),
	});
}

/** Lets a role read and write every table of the schema, the future ones too, and change none. */
export async function grantUse(sql: Db, role: string): Promise<void> {
	const [row] = await sql<[{ schema: string }]>`
		select current_schema() as schema
	`;
	const [to, schema] = [sql(role), sql(row.schema)];
	await sql`grant usage on schema ${schema} to ${to}`;
	for (const privileges of [
		sql`select, insert, update, delete on all tables`,
		sql`usage on all sequences`,
	])
		await sql`grant ${privileges} in schema ${schema} to ${to}`;
	await sql`alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${to}`;
	await sql`alter default privileges in schema ${schema} grant usage on sequences to ${to}`;
}
