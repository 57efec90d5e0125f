import { createHash, randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import { connectDatabase, type Db } from "../database/database.ts";
import { migrate } from "../database/migration/migrate.ts";
import type { MigrationSet } from "../database/migration/migration-set.ts";
import { postgresCode } from "../database/sql-errors.ts";
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
	/** What follows the migrations; its name stands for it, for it is done once in a run. */
	readonly beginning?: {
		readonly name: string;
		readonly make: (sql: Db) => Promise<unknown>;
	};
}

const POOL_SIZE = 10;
const TEMPLATE_SCHEMA = "template";
const OBJECT_IN_USE = "55006";

export function adminUrl(): string {
	return inject("databaseUrl");
}

/** A database of its own, copied from a migrated one: a sixth of the work of migrating it. */
export async function testDatabase(
	sets: readonly MigrationSet[],
	options: TestDatabaseOptions = {},
): Promise<TestDatabase> {
	const template = await templateOf(sets, options);
	const schema = `test_${randomBytes(6).toString("hex")}`;
	await copyDatabase(template, schema);
	const url = urlOf(schema);
	const pools: Db[] = [];

	function connect(poolSize = POOL_SIZE): Db {
		const sql = connectDatabase({
			url,
			schema: searchPath(schema, options),
			poolSize,
			applicationName: schema,
			// A machine that stalls fails no test.
			silenceTimeoutMs: 0,
		});
		pools.push(sql);
		return sql;
	}

	const sql = connect();
	await renameSchema(sql, schema);
	return {
		sql,
		url,
		schema,
		connect,
		setClock: (ms) => setClock(sql, ms),
		drop: async () => {
			await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
			await onceUnused((sql) => sql`drop database ${sql(schema)} with (force)`);
		},
	};
}

function searchPath(
	schema: string,
	{ hasMovableClock = false }: TestDatabaseOptions,
): string {
	return hasMovableClock ? `${schema}, pg_catalog` : schema;
}

/** Copied as files, for to copy it through the log takes twice the work. */
async function copyDatabase(template: string, name: string): Promise<void> {
	await onceUnused(
		(sql) => sql`
			create database ${sql(name)}
			template ${sql(template)}
			strategy file_copy
		`,
	);
}

/** The server waits 5 s for the sessions of a database to end, and a machine that stalls takes longer. */
async function onceUnused(
	change: (sql: postgres.Sql) => Promise<unknown>,
): Promise<void> {
	for (;;) {
		try {
			return await asAdmin(change);
		} catch (error) {
			if (postgresCode(error) !== OBJECT_IN_USE) throw error;
		}
	}
}

/** Functions that keep the search path of their creation get the one of now. */
async function renameSchema(sql: Db, schema: string): Promise<void> {
	await sql.unsafe(`
		alter schema ${TEMPLATE_SCHEMA} rename to ${schema};
		do $$
		declare
			routine regprocedure;
		begin
			for routine in
				select oid
				from pg_proc
				where pronamespace = current_schema()::regnamespace
				and proconfig is not null
			loop
				execute format('alter routine %s set search_path from current', routine);
			end loop;
		end
		$$;
	`);
}

/** The migrated database of this run; the first that asks makes it while others wait. */
async function templateOf(
	sets: readonly MigrationSet[],
	options: TestDatabaseOptions,
): Promise<string> {
	const contents = [
		options.hasMovableClock === true,
		...sets.map(({ dir }) => dir.href),
		options.beginning?.name,
	];
	const hash = createHash("sha256").update(JSON.stringify(contents));
	const name = `template_${hash.digest("hex").slice(0, 16)}`;
	if (knownTemplates.has(name)) return name;
	await asAdmin(async (sql) => {
		await sql`select pg_advisory_lock(hashtext(${name}))`;
		const found = await sql`select from pg_database where datname = ${name}`;
		if (found.length > 0) return;
		const draft = `${name}_draft`;
		await sql`drop database if exists ${sql(draft)} with (force)`;
		await sql`create database ${sql(draft)}`;
		await fillTemplate(draft, sets, options);
		await onceUnused(
			(sql) => sql`alter database ${sql(draft)} rename to ${sql(name)}`,
		);
	});
	knownTemplates.add(name);
	return name;
}

const knownTemplates = new Set<string>();

async function fillTemplate(
	name: string,
	sets: readonly MigrationSet[],
	options: TestDatabaseOptions,
): Promise<void> {
	const url = urlOf(name);
	await asAdmin((sql) => sql`create schema ${sql(TEMPLATE_SCHEMA)}`, url);
	const sql = connectDatabase({
		url,
		schema: searchPath(TEMPLATE_SCHEMA, options),
		poolSize: 1,
		applicationName: name,
		silenceTimeoutMs: 0,
	});
	try {
		if (options.hasMovableClock === true) await createMovableClock(sql);
		await migrate(sql, sets);
		await options.beginning?.make(sql);
	} finally {
		await sql.end();
	}
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
