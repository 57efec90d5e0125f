import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { connectDatabase, type Db } from "../database/database.ts";
import { migrate } from "../database/migration/migrate.ts";
import type { MigrationSet } from "../database/migration/migration-set.ts";
import { createMovableClock, setClock } from "./movable-clock.ts";

declare module "vitest" {
	interface ProvidedContext {
		databaseUrl: string;
	}
}

export interface TestDatabase {
	readonly sql: Db;
	readonly url: string;
	readonly schema: string;
	connect(poolSize?: number): Db;
	/** Sets the database's clock `ms` ahead of the server's, or behind it; needs a movable clock. */
	setClock(ms: number): Promise<void>;
	drop(): Promise<void>;
}

export interface TestDatabaseOptions {
	readonly hasMovableClock?: boolean;
	/** Within a database of its own: the transactions of other tests do not keep its dead rows. */
	readonly isAlone?: boolean;
}

const POOL_SIZE = 10;

export function adminUrl(): string {
	return inject("databaseUrl");
}

export async function testDatabase(
	sets: readonly MigrationSet[],
	{ hasMovableClock = false, isAlone = false }: TestDatabaseOptions = {},
): Promise<TestDatabase> {
	const schema = `test_${randomBytes(6).toString("hex")}`;
	if (isAlone) await asAdmin((sql) => sql`create database ${sql(schema)}`);
	const url = isAlone ? urlOf(schema) : adminUrl();
	const pools: Db[] = [];
	await asAdmin((sql) => sql`create schema ${sql(schema)}`, url);

	function connect(poolSize = POOL_SIZE): Db {
		const sql = connectDatabase({
			url,
			schema: hasMovableClock ? `${schema}, pg_catalog` : schema,
			poolSize,
			applicationName: schema,
			// A machine that stalls fails no test.
			silenceTimeoutMs: 0,
		});
		pools.push(sql);
		return sql;
	}

	const sql = connect();
	if (hasMovableClock) await createMovableClock(sql);
	await migrate(sql, sets);
	return {
		sql,
		url,
		schema,
		connect,
		setClock: (ms) => setClock(sql, ms),
		drop: async () => {
			await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
			await asAdmin((sql) =>
				isAlone
					? sql`drop database ${sql(schema)} with (force)`
					: sql`drop schema ${sql(schema)} cascade`,
			);
		},
	};
}

function urlOf(database: string): string {
	const url = new URL(adminUrl());
	url.pathname = database;
	return url.href;
}

export async function asAdmin(
	work: (sql: postgres.Sql) => Promise<unknown>,
	url = adminUrl(),
): Promise<void> {
	const sql = postgres(url, { max: 1, onnotice: () => {} });
	try {
		await work(sql);
	} finally {
		await sql.end();
	}
}
