import { z } from "zod";
import { type Env, readConfig, serviceConfig } from "../../runtime/config.ts";
import { startupSentence } from "../../runtime/lifecycle.ts";
import { createLogger } from "../../runtime/log.ts";
import { connectDatabase } from "../database.ts";
import { grantUse } from "./grant-use.ts";
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
		...{ DATABASE_URL, DATABASE_SCHEMA, LOG_LEVEL },
		SERVICE_ROLE: z.string().optional(),
	});
}
