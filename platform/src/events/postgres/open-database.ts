import { connectDatabase, type Db } from "../../database/database.ts";
import { migrate } from "../../database/migration/migrate.ts";
import { platformMigrations } from "../../database/migration/migration-set.ts";
import { postgresCode } from "../../database/sql-errors.ts";
import type { Logger } from "../../runtime/log.ts";

export interface PostgresBusSettings {
	readonly databaseUrl: string;
	/** Default "bus", the same for all services. */
	readonly schema?: string;
	readonly clientId: string;
	readonly log: Logger;
}

const DEFAULT_SCHEMA = "bus";
const POOL_SIZE = 4;

export async function openDatabase(settings: PostgresBusSettings): Promise<Db> {
	const schema = settings.schema ?? DEFAULT_SCHEMA;
	const sql = connectDatabase({
		url: settings.databaseUrl,
		schema,
		poolSize: POOL_SIZE,
		applicationName: `${settings.clientId}-bus`,
	});
	try {
		await ensureSchema(sql, schema);
		await migrate(sql, [platformMigrations.bus, platformMigrations.singletons]);
		return sql;
	} catch (error) {
		await sql.end({ timeout: 1 });
		throw error;
	}
}

/** A role that may not create schemas finds one that an admin made. */
async function ensureSchema(sql: Db, schema: string): Promise<void> {
	const [row] = await sql<{ exists: boolean }[]>`
		select to_regnamespace(${schema}) is not null as exists
	`;
	if (row?.exists === true) return;
	try {
		await sql`create schema if not exists ${sql(schema)}`;
	} catch (error) {
		const wasMadeMeanwhile = ["23505", "42P06"];
		if (!wasMadeMeanwhile.includes(postgresCode(error) ?? "")) throw error;
	}
}
